import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { entry } from '../cli/command-line.ts'

it('shows the screen of the box at no line that a device has, and makes none that the board lacks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'box-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [taken, missing, free] = ['taken', 'missing', 'free'].map((name) => join(folder, name))
  for (const each of [taken!, free!]) writeFileSync(each, '')
  // The program locks the line of a device in this way.
  const device = spawn('flock', [taken!, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(device.stdout, 'data')
  const args = ['box', 'screen', taken!, missing!, free!, '--state', folder, '--data', folder]
  const screen = spawn(process.execPath, [entry, ...args], { stdio: 'ignore' })
  const ended = Promise.all([once(screen, 'exit'), once(device, 'exit')])
  // They are shown in this order.
  while (!readFileSync(free!, 'utf8').includes('nightporter')) await new Promise(setImmediate)
  screen.kill()
  device.stdin.end()
  await ended
  assert.equal(readFileSync(taken!, 'utf8'), '')
  assert.equal(existsSync(missing!), false)
})
