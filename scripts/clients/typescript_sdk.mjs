// Lists and calls every tool of the fixtures with the official TypeScript MCP SDK, version 1 or 2.
//
//     typescript_sdk.mjs VERSION CASES http URL [URL ...]
//     typescript_sdk.mjs VERSION CASES stdio COMMAND [ARGUMENT ...]
//
// CASES is the file that `cargo test --workspace --test faces -- --ignored cases_for_other_clients` writes. The SDK checks
// structured content against the published schema by itself; what the cases expect is checked here.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { connector } from './typescript_connect.mjs'

const [version, casesFile, transport, ...where] = process.argv.slice(2)
const cases = JSON.parse(readFileSync(casesFile, 'utf8'))
const { eras, connect } = await connector(version, transport, where)

/** Every tool, all pages. */
async function tools(client) {
    const all = []
    let cursor
    do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor })
        all.push(...page.tools)
        cursor = page.nextCursor
    } while (cursor !== undefined)
    return all
}

function check({ tool, refused, structured }, result) {
    const said = `${tool}: ${JSON.stringify(result).slice(0, 400)}`
    if (refused) {
        assert.equal(result.isError, true, said)
        assert.equal(JSON.parse(result.content[0].text).type, refused, said)
        return
    }
    assert.notEqual(result.isError, true, said)
    if (structured) {
        assert.deepEqual(result.structuredContent, structured, said)
    }
}

/** The argument with which a client of the newer era shows that it holds an exclusive nodeset. */
async function lease(client, listed) {
    const acquire = listed.find((tool) => tool.name.endsWith('__acquire'))
    if (acquire === undefined || client.getNegotiatedProtocolVersion?.() !== '2026-07-28') {
        return undefined
    }
    const { structuredContent } = await client.callTool({ name: acquire.name, arguments: {} })
    return structuredContent.lease
}

for (const mode of eras) {
    const called = new Set()
    for (const place of transport === 'http' ? where : [undefined]) {
        const { client, close } = await connect(mode, place)
        const listed = await tools(client)
        const held = transport === 'http' ? await lease(client, listed) : undefined
        const names = new Set(listed.map((tool) => tool.name))
        for (const one of cases.filter((one) => names.has(one.tool) && !called.has(one.tool + one.nth))) {
            const args = held === undefined ? one.arguments : { ...one.arguments, lease: held }
            check(one, await client.callTool({ name: one.tool, arguments: args }))
            called.add(one.tool + one.nth)
        }
        for (const name of names) {
            const own = name.endsWith('__acquire') || name.endsWith('__release')
            assert.ok(own || cases.some((one) => one.tool === name), `no case calls ${name}`)
        }
        await close()
    }
    assert.ok(called.size > 0, 'nothing was called')
    console.log(`ok: ${transport}, ${mode === undefined ? 'initialize' : JSON.stringify(mode)}, ${called.size} calls`)
}
