import { systemClock } from '../../host/clock.ts'
import type { Controller } from '../check-in/guest-card.ts'
import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import { atController, type Finding } from './commission-steps.ts'

const readyWithinMs = 10_000
const lookEveryMs = 300

/**
 * Retries a check for 10 s while it fails with CommandFailed `device`, because a device or an appliance may have just
 * started.
 */
export async function onceReady<T>(look: () => Promise<T>): Promise<T> {
  const until = systemClock.monotonic() + readyWithinMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      const mayCome =
        error instanceof CommandFailed && error.exit === 'device' && systemClock.monotonic() < until
      if (!mayCome) throw error
    }
    await systemClock.sleep(lookEveryMs)
  }
}

interface Listed {
  data: {
    attributes: { configured: { id: string; state: string; identity: Record<string, string> | null }[] }
  }[]
}

/**
 * Returns the identity of a controller's encoder, or the state of the lock system if the lock system drives its own
 * encoders. Throws CommandFailed `device` when it is not online.
 */
export async function identityOf(
  ask: Client,
  { id, name, providerId }: Controller,
): Promise<{ found: true; says: Finding }> {
  const { body } = await ask<Listed>('GET', '/api/config/v1/connected-devices')
  const found = body.data.flatMap(({ attributes }) => attributes.configured).find((each) => each.id === id)
  if (!found) return lockSystemOf(ask, providerId)
  // A line that was not used yet opens with the first command.
  if (found.state === 'closed') await atController(ask, id, 'read').catch(ignored)
  if (found.state !== 'online') throw new CommandFailed('device', `${name} is ${found.state}.`)
  const { model = '', firmware = '', serialNumber = '' } = found.identity ?? {}
  return { found: true, says: [model, firmware, serialNumber].filter(Boolean).join(' ') }
}

interface Health {
  data: {
    attributes: {
      checks?: Record<string, { componentId?: string; observedValue: unknown; output: string | null }[]>
    }
  }
}

async function lockSystemOf(ask: Client, providerId: string): Promise<{ found: true; says: Finding }> {
  const { checks = {} } = (await ask<Health>('GET', '/api/v2/status')).body.data.attributes
  const found = checks['lock-system:state']?.find(({ componentId }) => componentId === providerId)
  const none = 'The status does not list its lock system. Is the provider enabled?'
  if (found?.observedValue !== 'online') throw new CommandFailed('device', found?.output ?? none)
  return { found: true, says: 'its lock system controls it, and is online' }
}

function ignored(error: unknown): void {
  if (!(error instanceof CommandFailed)) throw error
}

interface DispenserStatus {
  data: {
    attributes: {
      online: boolean
      overall: string
      state: string
      stacker: { level: string }
      bin: { level: string }
      counters: { captured: number }
      guestWaiting: object | null
      fault: { detail: string; recovery: string[] } | null
    }
  }
}

/** Returns the state of a dispenser. */
export async function lookAt(ask: Client, id: string) {
  const path = `/api/v2/access/dispensers/${id}/status`
  return (await ask<DispenserStatus>('GET', path)).body.data.attributes
}

/**
 * Returns the state of a dispenser that can dispense cards. Throws CommandFailed `device`, with the recovery steps,
 * when it cannot.
 */
export async function statusOf(ask: Client, id: string) {
  const { online, overall, state, fault, stacker, bin } = await lookAt(ask, id)
  if (fault) throw new CommandFailed('device', [fault.detail, ...fault.recovery].join(' '))
  if (!online || overall === 'empty' || overall === 'binFull')
    throw new CommandFailed('device', `It is ${online ? overall : state}.`)
  return { found: overall, says: `${state}, stacker ${stacker.level}, bin ${bin.level}` }
}
