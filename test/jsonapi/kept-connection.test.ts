import assert from 'node:assert/strict'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

let house: TestAppliance
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
before(async () => {
  house = await startAppliance()
})
after(async () => {
  agent.destroy()
  await house.stop()
})

function ask(): Promise<{ socket: Socket; message: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const request = get(`${house.appliance.url}/healthz`, { agent }, (message) => {
      message.resume().on('end', () => resolve({ socket: request.socket!, message }))
    })
    request.on('error', reject)
  })
}

describe('A connection', () => {
  it('stays open for the next request, for longer than clients usually keep it', async () => {
    const [first, second] = [await ask(), await ask()]
    assert.equal(second.socket, first.socket)
    assert.equal(second.message.headers['keep-alive'], 'timeout=75')
  })

  it('that is idle does not delay the shutdown', async () => {
    const { socket } = await ask()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await house.restart()
    await closed
    assert.equal((await ask()).message.statusCode, 200)
  })
})
