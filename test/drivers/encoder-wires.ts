import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import type { CardEncoder } from '../../src/devices/capability.ts'
import { openWire, type WireAddress } from '../../src/devices/wires/wire.ts'
import { type Clock, systemClock } from '../../src/host/clock.ts'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { programMissing } from '../programs.ts'
import { block, classic, fault, key, when } from './encoder-calls.ts'

/** A machine by itself, to be played on wires that are torn out and plugged in again. */
interface Machine {
  cards: SimulatedCard[]
  misbehaviours: Misbehaviour[]
  play(wire: Duplex): Promise<void>
}

/** Where the machine is reached, time and again, and how its plug is pulled. */
interface Socketed {
  address(): Promise<WireAddress>
  pull(): void
}

/** What an encoder must keep on the wires there really are, when they are pulled out and plugged in again. */
export function wireContract(
  name: string,
  machine: (clock: Clock) => Machine,
  open: (wire: Duplex, clock: Clock, patience: number) => CardEncoder,
): void {
  const sockets = { 'a TCP socket': overTcp, 'a serial line': overPty }
  for (const [kind, plugIn] of Object.entries(sockets)) {
    const skip = plugIn === overPty && programMissing('socat')

    describe(`${name} on ${kind}`, { skip }, () => {
      it('writes and reads', async (test) => {
        const { encoder, made } = await bench(test)
        await encoder.writeBlock(4, block)
        assert.deepEqual(await encoder.readBlock(4), block)
        assert.deepEqual(made.cards[0]!.memory.subarray(64, 80), block)
      })

      for (const isWritten of [false, true])
        it(`does not know of a write that its wire was pulled out of, ${isWritten ? 'after' : 'before'} the card`, async (test) => {
          const { encoder, made, socket, again } = await bench(test)
          const does = isWritten ? 'late' : 'silence'
          made.misbehaviours.push({ ...when('*', () => setImmediate(socket.pull)), does })
          await assert.rejects(encoder.writeBlock(4, block), fault('encoder-timeout-writing', true))
          await assert.rejects(encoder.find(), fault('encoder-offline', false))
          const plugged = await again()
          assert.deepEqual(await plugged.readBlock(4), isWritten ? block : new Uint8Array(16))
          await plugged.writeBlock(4, block)
          assert.deepEqual(await plugged.readBlock(4), block)
        })

      it('says of a read that its wire was pulled out', async (test) => {
        const { encoder, made, socket, again } = await bench(test)
        made.misbehaviours.push({ ...when('*', () => setImmediate(socket.pull)), does: 'silence' })
        await assert.rejects(encoder.readBlock(4), fault('encoder-offline', false))
        assert.deepEqual(await (await again()).readBlock(4), new Uint8Array(16))
      })

      /** An encoder that is logged in to a card, and the machine it is plugged in to. */
      async function bench(test: TestContext) {
        const made = machine(systemClock)
        made.cards.push(classic())
        const socket = await plugIn(test, made)
        const again = async () => {
          const wire = await openWire(await socket.address(), { clock: systemClock, checkMs: 50 })
          const encoder = open(wire, systemClock, 10)
          test.after(() => encoder.close())
          assert.ok(await encoder.find())
          assert.equal(await encoder.authenticate(1, 'A', key), true)
          return encoder
        }
        return { encoder: await again(), made, socket, again }
      }
    })
  }
}

async function overTcp(test: TestContext, { play }: Machine): Promise<Socketed> {
  const plugged = new Set<Socket>()
  const server = createServer((wire) => {
    plugged.add(wire)
    wire.on('error', () => {})
    void play(wire)
  })
  const pull = () => {
    for (const wire of plugged) wire.resetAndDestroy()
    plugged.clear()
  }
  test.after(() => {
    pull()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { address: async () => ({ transport: 'tcp', host: '127.0.0.1', port }), pull }
}

/** Each time it is plugged in there is a new line of the same name, as with an adapter on USB. */
async function overPty(test: TestContext, machine: Machine): Promise<Socketed> {
  const folder = mkdtempSync(join(tmpdir(), 'encoder-'))
  const behind = await overTcp(test, machine)
  const far = await behind.address()
  const path = join(folder, 'line')
  let socat: ChildProcess | null = null
  const pull = () => {
    socat?.kill('SIGKILL')
    socat = null
    rmSync(path, { force: true })
  }
  test.after(() => {
    pull()
    rmSync(folder, { recursive: true, force: true })
  })
  assert.ok(far.transport === 'tcp')
  return {
    async address() {
      socat = spawn('socat', [`pty,raw,echo=0,link=${path}`, `tcp:127.0.0.1:${far.port}`], {
        stdio: 'ignore',
      })
      while (!existsSync(path)) await systemClock.sleep(10)
      return { transport: 'serial', path }
    },
    pull,
  }
}
