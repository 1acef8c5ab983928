import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { invalidValue } from '../resource/problem.ts'
import { blankCards, type CardImage, cardFromImage, cardImage } from '../simulators/devices/simulated-card.ts'
import { insert, supply, take } from '../simulators/devices/simulated-card-path.ts'
import type { LobbyDevice, SimulatedLobby } from './simulated-lobby.ts'

/** What a person does at a device, and the card that it is done with. */
interface Deed {
  does: string
  /** The serial number of a card in a guest's hand, in hex; the newest when it is not named. */
  card?: string
}

/** The number of blank cards in a full stacker, and how long a guest of the demo leaves a card at the gate. */
const fullStacker = 120
const takenAfterMs = 1_500

/** What a person can do at each device. Each returns false when it is not possible now. */
const deeds: Record<LobbyDevice, Record<string, (lobby: SimulatedLobby, card?: string) => boolean>> = {
  dispenser: {
    'take-card': ({ dispenser }) => take(dispenser),
    'push-back': ({ dispenser }) => {
      if (dispenser.at !== 'gate') return false
      dispenser.at = 'encoder'
      return true
    },
    'return-card': (lobby, uid) => {
      const image = inHand(lobby, uid)
      if (!image || !insert(lobby.dispenser, cardFromImage(image))) return false
      letGo(lobby, image.uid)
      return true
    },
    'empty-stacker': ({ dispenser }) => {
      dispenser.stack.length = 0
      return true
    },
    'fill-stacker': ({ dispenser }) => {
      const missing = Math.max(0, fullStacker - dispenser.stack.length)
      dispenser.stack.push(...blankCards(missing, null, 'classic'))
      return true
    },
    'empty-bin': ({ dispenser }) => {
      dispenser.bin.length = 0
      return true
    },
    'leave-cards': ({ dispenser }) => {
      dispenser.takenAfterMs = null
      return true
    },
    'take-cards': ({ dispenser }) => {
      dispenser.takenAfterMs = takenAfterMs
      take(dispenser)
      return true
    },
    ...cable('dispenser'),
  },
  encoder: {
    'lay-card': (lobby, uid) => {
      const image = inHand(lobby, uid)
      if (!image || lobby.laid) return false
      lobby.laid = cardFromImage(image)
      return true
    },
    'lay-blank-card': (lobby) => {
      if (lobby.laid) return false
      lobby.laid = blankCards(1, null, 'classic')[0]!
      return true
    },
    'take-away-card': (lobby) => {
      if (!lobby.laid) return false
      const { dispenser, laid } = lobby
      lobby.laid = null
      dispenser.onTaken?.(laid)
      dispenser.taken = [...others(lobby, cardImage(laid).uid), laid]
      return true
    },
    ...cable('encoder'),
  },
  // What a guest does at the payment terminal: the one who waits there, and the next one.
  terminal: {
    'pay-next': ({ terminal }) => guestWill(terminal, 'pay'),
    'refuse-next': ({ terminal }) => guestWill(terminal, 'refuse'),
    'leave-next': ({ terminal }) => guestWill(terminal, 'wait'),
    ...cable('terminal'),
  },
}

function guestWill(terminal: SimulatedLobby['terminal'], does: typeof terminal.guest): boolean {
  terminal.decide(does)
  return true
}

function cable(name: LobbyDevice) {
  return {
    unplug: (lobby: SimulatedLobby) => {
      lobby.setPlugged(name, false)
      return true
    },
    plug: (lobby: SimulatedLobby) => {
      lobby.setPlugged(name, true)
      return true
    },
  }
}

/** What a person can do at any of the devices. */
export const deedNames: readonly string[] = [
  ...new Set(Object.values(deeds).flatMap((each) => Object.keys(each))),
]

/** Does what a person does at a device. Throws validation-failed when the device has no such deed, or not now. */
export function actAt(lobby: SimulatedLobby, name: LobbyDevice, { does, card }: Deed): void {
  const deed = deeds[name][does]
  if (!deed)
    throw invalidValue('/does', `Nobody can do this at the ${name}.`, { allowed: Object.keys(deeds[name]) })
  if (!deed(lobby, card))
    throw invalidValue('/does', 'This is not possible now: look where the card is, and what is in the hand.')
}

/** Where the cards of the lobby are, and what the devices show. */
export function lobbyState(
  { dispenser, encoder, terminal, laid, unplugged }: SimulatedLobby,
  name: LobbyDevice,
) {
  const isPlugged = !unplugged.has(name)
  if (name === 'encoder')
    return { isPlugged, laid: laid && cardImage(laid).uid, lights: encoder.lights, beeps: encoder.beeps }
  if (name === 'terminal') {
    const paid = [...terminal.payments.values()].filter(({ outcome }) => outcome === 'paid')
    return { isPlugged, guest: terminal.guest, payments: paid.length }
  }
  const { at, card, stack, bin, binCapacity, entry } = dispenser
  return {
    isPlugged,
    at,
    card: card && cardImage(card).uid,
    stacker: stack.length,
    supply: supply(dispenser),
    bin: bin.length,
    binCapacity,
    isAccepting: entry,
    takesByItself: dispenser.takenAfterMs !== null,
  }
}

/** At most so many cards are shown. */
const mostShown = 20

/** The cards in guests' hands, the newest first. They outlive a restart where the lobby has a folder for them. */
export function cardsInHand({ pocket, dispenser, laid }: SimulatedLobby): CardImage[] {
  const images =
    pocket === null ? dispenser.taken.map(cardImage).toReversed().slice(0, mostShown) : imagesIn(pocket)
  const lying = laid && cardImage(laid).uid
  return images.filter(({ uid }) => uid !== lying)
}

/** Returns the card with this serial number, or the newest; null when nobody has it in the hand. */
export function inHand(lobby: SimulatedLobby, uid?: string): CardImage | null {
  return cardsInHand(lobby).find((each) => uid === undefined || each.uid === uid.toUpperCase()) ?? null
}

function imagesIn(pocket: string): CardImage[] {
  try {
    return readdirSync(pocket)
      .filter((file) => file.endsWith('.json'))
      .map((file) => ({ path: join(pocket, file), at: statSync(join(pocket, file)).mtimeMs }))
      .sort((a, b) => b.at - a.at)
      .slice(0, mostShown)
      .map(({ path }) => JSON.parse(readFileSync(path, 'utf8')) as CardImage)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function others({ dispenser }: SimulatedLobby, uid: string) {
  return dispenser.taken.filter((card) => cardImage(card).uid !== uid)
}

function letGo(lobby: SimulatedLobby, uid: string): void {
  const { pocket, dispenser } = lobby
  dispenser.taken = others(lobby, uid)
  if (pocket !== null) rmSync(join(pocket, `${uid}.json`), { force: true })
}
