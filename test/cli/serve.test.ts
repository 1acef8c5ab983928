import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { dataFolder, entry, served } from './command-line.ts'

const sh = promisify(execFile)

const said = (lines: string[]) => lines.join('\n')

it('prints three lines that work one after the other, the last of which opens a door', async (t) => {
  const data = dataFolder(t)
  const house = await served(data)
  t.after(() => house.stop())
  const lines = house.lines.filter((line) => line.startsWith('  ')).map((line) => line.trim())
  assert.equal(lines.length, 3, said(house.lines))
  const [arrivals = '', checkIn = '', door = ''] = lines
  const [, address = ''] = /'(http[^']+)'/.exec(arrivals) ?? []
  const answer = await fetch(address, { headers: { Authorization: 'Bearer demo' } })
  assert.equal(answer.status, 200)
  // In place of the command that is installed, and of npx, which finds the program in a checkout.
  const program = `'${process.execPath}' '${entry}'`
  const command = process.env.TEST_PROGRAM ? 'nightporter' : 'npx -s nightporter'
  assert.ok(
    [checkIn, door].every((line) => line.startsWith(`${command} `)),
    said(house.lines),
  )
  const inShell = (line: string) => sh('sh', ['-c', line.replace(command, program)])
  assert.match((await inShell(checkIn)).stdout, /The card was taken/)
  assert.match((await inShell(door)).stdout, /: opens/)
})

it('ends with 0 when it is told to, and starts again on the same data', async (t) => {
  const data = dataFolder(t)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const house = await served(data)
    assert.equal((await fetch(`${house.url}/healthz`)).status, 200)
    assert.deepEqual(await house.stop(signal).then(({ code, stderr }) => ({ code, stderr })), {
      code: 0,
      stderr: '',
    })
  }
})
