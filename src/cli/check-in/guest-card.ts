import { randomUUID } from 'node:crypto'
import { systemClock } from '../../host/clock.ts'
import { ApplianceRefusal, type Client, type Reply } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

/** An encoder of the appliance. `dispenserId` is null when the encoder is in no dispenser. */
export interface Controller {
  id: string
  name: string
  keyType: string
  providerId: string
  dispenserId: string | null
}

interface MadeKey {
  id: string
  attributes: { uid: string; sequence: number; validFrom: string; validUntil: string }
}

/**
 * Returns the controller with this name or id. Without a name, returns the first controller with a dispenser, or else
 * the first. Throws CommandFailed `missing`.
 */
export async function chooseController(ask: Client, wanted?: string): Promise<Controller> {
  const all = await controllers(ask)
  if (wanted === undefined) {
    const first = all.find(({ dispenserId }) => dispenserId) ?? all[0]
    if (first) return first
    throw new CommandFailed('missing', 'The appliance has no encoder: there is nothing to make a card with.')
  }
  const found = all.find(({ id, name }) => id === wanted || name === wanted)
  if (found) return found
  const names = all.map(({ name }) => name).join(', ') || 'none'
  throw new CommandFailed('missing', `There is no encoder ${wanted}; there is: ${names}.`)
}

async function controllers(ask: Client): Promise<Controller[]> {
  const { body } = await ask<{ data: { id: string; attributes: Omit<Controller, 'id'> }[] }>(
    'GET',
    '/api/config/v1/access-controllers?page[size]=100',
  )
  return body.data.map(({ id, attributes }) => ({ ...attributes, id }))
}

/** Makes a card. If the card is defective, the dispenser captures it, and the function tries one more card. */
export async function makeCard(ask: Client, { id }: Controller, order: object): Promise<MadeKey> {
  const path = `/api/v2/access/controllers/${id}/key`
  try {
    return await make(ask, path, order)
  } catch (error) {
    if (!(error instanceof ApplianceRefusal && wantsAnotherCard(error))) throw error
    console.log(`The card failed (${error.message}) Another one is made.`)
    return make(ask, path, order)
  }
}

function wantsAnotherCard({ meta }: ApplianceRefusal): boolean {
  return meta.guest === 'new-card' || meta.guest === 'recard'
}

/** Repeats a request whose answer was lost, with the same idempotency key, so that no second card is made. */
async function make(ask: Client, path: string, order: object): Promise<MadeKey> {
  const how = { body: order, headers: { 'Idempotency-Key': `check-in-${randomUUID()}` } }
  const send = (): Promise<Reply<{ data: MadeKey }>> => ask('POST', path, how)
  try {
    return (await send()).body.data
  } catch (error) {
    if (!(error instanceof CommandFailed && error.exit === 'unreachable')) throw error
    await systemClock.sleep(1_000)
    return (await send()).body.data
  }
}

interface RunPage {
  data: { attributes: { step: string; ending: string | null } }[]
}

const lookEveryMs = 200

/**
 * Waits until the issuance of the card has ended. Throws CommandFailed `later` when the guest did not take the card.
 */
export async function takenCard(ask: Client, keyId: string): Promise<void> {
  for (;;) {
    const { body } = await ask<RunPage>('GET', `/api/v2/access/card-runs?filter[keyId]=${keyId}`)
    const { step, ending } = body.data[0]!.attributes
    if (step === 'ended' && ending === 'taken') return
    if (step === 'ended') {
      throw new CommandFailed('later', `The card was not taken (${ending}). Its key is blocked.`)
    }
    await systemClock.sleep(lookEveryMs)
  }
}

/** For a refusal that is no failure of a device. */
const askAtDesk = 'Please ask at the front desk.'

interface DispenserPage {
  data: { id: string; attributes: { name: string } }[]
}

interface DispenserStatus {
  data: { attributes: { fault: { recovery: string[] } | null } }
}

/** Returns the lines for the guest and, after a device error, the recovery steps for the front desk. */
export async function guestWords(ask: Client, refusal: ApplianceRefusal): Promise<string[]> {
  const { meta, status } = refusal
  const guest = typeof meta.guestText === 'string' ? meta.guestText : askAtDesk
  const steps = status === 502 ? await recoveryOf(ask) : []
  return [`Guest: ${guest}`, ...steps.map((step) => `Desk: ${step}`)]
}

/**
 * Returns the recovery steps of all dispensers. Returns none when the dispensers cannot be read, because a second error
 * message would not help.
 */
async function recoveryOf(ask: Client): Promise<string[]> {
  try {
    const { body } = await ask<DispenserPage>('GET', '/api/config/v1/dispensers?page[size]=100')
    const lines = body.data.map(async ({ id, attributes: { name } }) => {
      const { body } = await ask<DispenserStatus>('GET', `/api/v2/access/dispensers/${id}/status`)
      const { fault } = body.data.attributes
      return (fault?.recovery ?? []).map((step) => `${name}: ${step}`)
    })
    return (await Promise.all(lines)).flat()
  } catch (error) {
    if (error instanceof CommandFailed) return []
    throw error
  }
}
