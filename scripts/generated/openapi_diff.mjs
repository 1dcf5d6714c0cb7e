// Changes a contract as people do, and holds our verdict to that of api-smart-diff on the OpenAPI documents of both.
//
//     openapi_diff.mjs CLI CONTRACT FOLDER
//
// Each edit is one that both tools judge: whether callers break. What only one of them knows is no case here: defaults, hints,
// sessions, and that inputs are closed, so that an argument that goes breaks whoever sends it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { apiDiff } from 'api-smart-diff'

const [cli, contractFile, folder] = process.argv.slice(2)
const old = JSON.parse(readFileSync(contractFile, 'utf8'))
mkdirSync(folder, { recursive: true })

const node = ({ contract }, name) => contract.nodes.find((node) => node.name === name)
const input = (name, act) => (document) => act(node(document, name).input_schema)
const output = (name, act) => (document) => act(node(document, name).output_schema)
const text = { type: 'string' }
const without = (names, gone) => names.filter((name) => name !== gone)

// What is edited, whether it breaks, and the edit.
const edits = [
    ['nothing', false, () => {}],
    ['a node goes', true, ({ contract }) => (contract.nodes = contract.nodes.filter(({ name }) => name !== 'palette'))],
    [
        'a node comes',
        false,
        (document) => {
            const more = structuredClone(node(document, 'palette'))
            document.contract.nodes.push({ ...more, name: 'swatches', full_name: 'vision__swatches' })
        },
    ],
    ['an argument comes', false, input('segment', (schema) => (schema.properties.note = text))],
    [
        'an argument comes that is required',
        true,
        input('segment', (schema) => {
            schema.properties.note = text
            schema.required.push('note')
        }),
    ],
    ['an argument becomes required', true, input('annotate', (schema) => (schema.required = Object.keys(schema.properties)))],
    ['an argument need not be given any more', false, input('segment', (schema) => (schema.required = []))],
    ['an argument gets another type', true, input('segment', (schema) => (schema.properties.max_objects = text))],
    ['an upper bound comes down', true, input('segment', (schema) => (schema.properties.max_objects.maximum = 500))],
    ['an upper bound goes up', false, input('segment', (schema) => (schema.properties.max_objects.maximum = 2000))],
    ['a lower bound goes up', true, input('segment', (schema) => (schema.properties.max_objects.minimum = 2))],
    ['an option goes', true, input('segment', (schema) => schema.$defs.Polarity.enum.pop())],
    ['an option comes', false, input('segment', (schema) => schema.$defs.Polarity.enum.push('odd'))],
    ['an output comes', false, output('segment', (schema) => (schema.properties.count = { type: 'integer' }))],
    [
        'an output goes',
        true,
        output('segment', (schema) => {
            delete schema.properties.objects
            schema.required = without(schema.required, 'objects')
        }),
    ],
    [
        'an output may be missing',
        true,
        output('segment', (schema) => (schema.required = without(schema.required, 'objects'))),
    ],
    ['an output gets another type', true, output('describe', (schema) => (schema.properties.width = text))],
    ['a part of an output gets another type', true, output('segment', (schema) => (schema.$defs.Object.properties.area = text))],
    ['words change', false, input('segment', (schema) => (schema.properties.image.description = 'Another.'))],
]

const run = (...words) => execFileSync(cli, words, { encoding: 'utf8' })

/** A contract in a file, and its OpenAPI document. */
function written(name, contract) {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(contract))
    return [file, JSON.parse(run('generate', 'openapi', file))]
}

const [oldFile, before] = written('old', old)
const wrong = []
for (const [name, breaks, edit] of edits) {
    const contract = structuredClone(old)
    edit(contract)
    const [newFile, after] = written('new', contract)
    const ours = JSON.parse(run('diff', oldFile, newFile, '--json')).worst === 'breaking'
    const theirs = apiDiff(before, after).filter(({ type }) => type === 'breaking')
    if (ours !== breaks || theirs.length > 0 !== breaks) {
        const shown = theirs.map(({ action, path }) => `${action} ${path.join('/')}`)
        wrong.push(`${name}: breaks ${breaks}, by us ${ours}, by api-smart-diff [${shown}]`)
    }
}
assert.deepEqual(wrong, [])
console.log(`ok: ${edits.length} edits are judged as api-smart-diff judges them`)
