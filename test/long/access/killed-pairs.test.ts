import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { profileOf } from '../../../drivers/crt571/protocol.ts'
import { machine as crt571, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { commands as k720Commands } from '../../../drivers/k720/protocol.ts'
import { machine as k720 } from '../../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../../drivers/k720/simulator/simulator.ts'
import { commands as twn4Commands } from '../../../drivers/twn4/protocol.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import { systemClock as clock } from '../../../src/host/clock.ts'
import { applianceChild } from '../../access/appliance-child.ts'
import { withDoors } from '../../access/house-with-doors.ts'
import { sockets } from '../../access/sockets.ts'
import { plays } from './pairs/deeds.ts'
import { playUntilKilled } from './pairs/killed.ts'
import { type Lobby, lobbyWorld } from './pairs/lobby.ts'

const machines = {
  crt571() {
    const device = crt571({ clock, takenAfterMs: null, binCapacity: 1_000 })
    return { device, commands: Object.keys(profileOf('crt571').commands), connect: simulateCrt571 }
  },
  k720() {
    const device = k720({ clock, takenAfterMs: null, binCapacity: 1_000 })
    return { device, commands: Object.keys(k720Commands), connect: simulateK720 }
  },
}

for (const model of ['crt571', 'k720'] as const)
  it(`${model}: killed again and again, in its recovery too, the store says what is true of every card`, async () => {
    const lobby = await lobbyOf(model)
    await playUntilKilled(lobbyWorld(lobby), plays({ kills: true }), lobby.killed, 12)
  })

/** A lobby whose devices stay as they are while the program beside them is killed and started again. */
async function lobbyOf(model: keyof typeof machines): Promise<Lobby & { killed(): number }> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-killed-'))
  const daemon = await applianceChild(data)
  const plugs = sockets()
  after(async () => {
    await daemon.stop()
    plugs.close()
    rmSync(data, { recursive: true, force: true })
  })
  const { device, commands, connect } = machines[model]() as ReturnType<(typeof machines)['crt571']>
  const antenna = reader({ clock, antenna: device })
  const path = await plugs.plugIn((wire) => connect(wire, device))
  const encoder = await plugs.plugIn((wire) => simulateTwn4(wire, antenna))
  const { ask, now } = daemon
  // Its own dispenser and encoder stand there for the time being.
  const lobby = { dispenser: device, encoder: antenna } as Parameters<typeof withDoors>[0]['lobby']
  const patience = 0.3
  const doors = await withDoors({ ask, lobby }, data, now, { dispenser: path, encoder, patience })
  const body = { device: { driver: model, path, patience }, presentTimeoutSeconds: 1 }
  const patched = await ask('PATCH', `/api/config/v1/dispensers/${doors.dispenserId}`, { body })
  assert.equal(patched.status, 204, patched.text)
  let killed = 0
  const player = { clock: null as never, play: async () => {} }
  return {
    ask,
    dispenserId: doors.dispenserId,
    controllerId: doors.controllerId,
    cards: device,
    technology: 'classic',
    dispenser: { ...player, driver: model, commands, misbehaviours: device.misbehaviours },
    encoder: {
      ...player,
      driver: 'twn4',
      commands: Object.keys(twn4Commands),
      misbehaviours: antenna.misbehaviours,
    },
    now,
    killed: () => killed,
    pass: (how) => sleep(how === 'short' ? 300 : 2_500),
    restart: () => daemon.reboot(),
    kill() {
      killed++
      daemon.kill()
    },
    async revive() {
      for (let tries = 0; !daemon.isAlive() && tries < 5; tries++) await daemon.reboot()
    },
  }
}
