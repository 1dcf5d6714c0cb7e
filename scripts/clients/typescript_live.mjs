// Follows the live application `cart` with the official TypeScript MCP SDK, version 1 or 2: subscribes, dispatches, waits,
// reads.
//
//     typescript_live.mjs VERSION http URL
//     typescript_live.mjs VERSION stdio COMMAND [ARGUMENT ...]

import assert from 'node:assert/strict'

import { connector } from './typescript_connect.mjs'

const subscribed = ['live://state', 'live://state/total']
const messages = [
    { message: 'clear' },
    { message: 'add_item', args: { sku: 'a', unit_price: 250, quantity: 2 } },
]

const [version, transport, ...where] = process.argv.slice(2)
const { eras, connect, resourceUpdated } = await connector(version, transport, where)

/** The text of the result, and what stands beside it. */
async function call(client, name, args) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
    assert.notEqual(isError, true, JSON.stringify(content))
    assert.equal(content.length, 1, JSON.stringify(content))
    return [content[0].text, structuredContent]
}

async function state(client, name, args) {
    const [text, structured] = await call(client, name, args)
    assert.deepEqual(JSON.parse(text), structured)
    return structured
}

for (const mode of eras) {
    const { client, close } = await connect(mode, where[0])
    // Over HTTP the messages come from another client.
    const other = transport === 'http' ? await connect(mode, where[0]) : { client, close: async () => {} }
    const changed = new Set()
    const all = new Promise((done) => {
        const told = ({ params }) => {
            changed.add(params.uri)
            if (changed.size === subscribed.length) done()
        }
        client.setNotificationHandler(resourceUpdated, told)
    })
    if (typeof mode === 'object') {
        const { honoredFilter } = await client.listen({ resourceSubscriptions: subscribed })
        assert.deepEqual([...honoredFilter.resourceSubscriptions].sort(), subscribed)
    } else {
        for (const uri of subscribed) await client.subscribeResource({ uri })
    }
    const before = (await state(client, 'snapshot', {})).version
    const waiting = state(client, 'wait_version', { version: before + 1, timeoutMs: 20000 })
    const [done, beside] = await call(other.client, 'dispatch', { messages })
    assert.match(done, /: subtotal=500, discount=0, total=500$/)
    assert.equal(beside, undefined)
    assert.ok((await waiting).version > before)
    await all
    assert.deepEqual([...changed].sort(), subscribed)
    const { contents } = await client.readResource({ uri: subscribed[1] })
    assert.deepEqual(contents.map((one) => JSON.parse(one.text).value), [500])
    const refused = await client.callTool({ name: 'dispatch', arguments: { message: 'no_such', args: {} } })
    assert.equal(refused.isError, true)
    assert.match(refused.content[0].text, /no_such/)
    await other.close()
    await close()
    console.log(`ok: a live application, ${transport}, ${mode === undefined ? 'initialize' : JSON.stringify(mode)}`)
}
