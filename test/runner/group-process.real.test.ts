import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { systemClock } from '../../src/host/clock.ts'
import { isRunning } from '../processes.ts'
import { runGroup } from './group-process.ts'
import { isFine, type Outcome } from './outcome.ts'

const folder = mkdtempSync(join(tmpdir(), 'runner-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const importing = "import { before, it } from 'node:test'\nimport assert from 'node:assert/strict'\n"
const fine = "it('works', () => {})"
let number = 0

/** Runs files with these contents, named a, b and so on. */
const ran = (...contents: string[]) => ranNamed(null, ...contents)

/** The same, but only the tests that match a regular expression. */
async function ranNamed(
  name: string | null,
  ...contents: string[]
): Promise<{ outcome: Outcome; names: (text: string) => string }> {
  const run = mkdtempSync(join(folder, 'run-'))
  const files = contents.map((content, at) => {
    const path = join(run, `${'abc'[at]}.test.mjs`)
    writeFileSync(path, importing + content)
    return path
  })
  const around = {
    tier: 'gate',
    folder: run,
    environment: process.env,
    countsAssertions: false,
    name,
  } as const
  return {
    outcome: await runGroup(files, number++, around),
    names: (text) => text.replaceAll(`${run}/`, '').replaceAll('.test.mjs', ''),
  }
}

it('runs only the tests that are wanted by name', async () => {
  const { outcome, names } = await ranNamed('wor.s', fine, "it('adds', () => assert.equal(1 + 1, 3))")
  const tests = outcome.reported.filter(({ kind }) => kind === 'test')
  assert.deepEqual(
    tests.map(({ path, outcome }) => [names(path.join(' > ')), outcome]),
    [['a > works', 'passed']],
  )
  assert.deepEqual([outcome.failures, outcome.unexplained, outcome.unreached], [[], [], []])
})

it('says of a failed test what was expected and what came', async () => {
  const { outcome, names } = await ran(fine, "it('adds', () => assert.equal(1 + 1, 3))")
  assert.deepEqual(
    outcome.failures.map(({ name }) => names(name)),
    ['b > adds'],
  )
  assert.match(outcome.failures[0]!.text, /^expected: 3\nactual: {3}2$/m)
  assert.deepEqual(outcome.unexplained, [])
})

it('leaves each test in its file, also where two files load the same module', async () => {
  const shared = join(folder, 'shared.mjs')
  writeFileSync(shared, '')
  const using = (title: string) => `import '${shared}'\nit('${title}', () => {})`
  const { outcome, names } = await ran(using('one'), using('two'), fine)
  assert.deepEqual(
    outcome.reported.filter(({ kind }) => kind === 'test').map(({ path }) => names(path.join(' > '))),
    ['a > one', 'b > two', 'c > works'],
  )
})

it('leaves a test in its file that is declared when something was awaited', async () => {
  const { outcome, names } = await ran(
    `let asked = 0\nbefore(() => { asked++ })\nawait new Promise((done) => setTimeout(done, 50))\nit('later', () => assert.equal(asked, 1))`,
  )
  assert.deepEqual(outcome.failures, [])
  assert.deepEqual(
    outcome.reported.filter(({ kind }) => kind === 'test').map(({ path }) => names(path.join(' > '))),
    ['a > later'],
  )
})

it('fails for an error that no test has caught', async () => {
  const { outcome } = await ran("it('works', () => { setTimeout(() => { throw new Error('late') }) })", fine)
  assert.equal(isFine(outcome), false)
})

it('fails for a hook, whatever its error says', async () => {
  const { outcome, names } = await ran(`before(() => { throw new Error('2 subtests failed') })\n${fine}`)
  assert.ok(outcome.failures.some(({ name }) => names(name) === 'a'))
})

it('names the test in which a process ends, and the files that it did not come to', async () => {
  const { outcome, names } = await ran(fine, "it('leaves', () => process.exit(0))", fine)
  assert.deepEqual(
    outcome.failures.map(({ name }) => names(name)),
    ['b: the process ended too early, in b > leaves'],
  )
  // What it had not yet written of a is lost.
  assert.deepEqual(outcome.unreached.map(names), ['a', 'c'])
})

it('is red for an error after a test, and shows it', async () => {
  const late = "it('leaks', () => void setImmediate(() => { throw new Error('late') }))"
  const { outcome } = await ran(late, "it('waits', () => new Promise((done) => setTimeout(done, 50)))")
  assert.deepEqual(outcome.failures, [])
  assert.match(outcome.unexplained[0]!.text, /late/)
})

it('ends what a test has left running', async () => {
  const left = `import { spawn } from 'node:child_process'
it('leaves a process', (test) => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  child.unref()
  test.diagnostic(String(child.pid))
})`
  const { outcome } = await ran(left)
  assert.equal(isFine(outcome), true)
  const pid = Number(outcome.reported.find(({ kind }) => kind === 'diagnostic')?.text)
  for (let tries = 0; isRunning(pid); tries++) {
    assert.ok(tries < 1_000, `${pid} runs`)
    await systemClock.sleep(20)
  }
})
