import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import { type Machine, machine, simulateCrt571 } from '../drivers/crt571/simulator.ts'
import { type Reader, reader, simulateTwn4 } from '../drivers/twn4/simulator.ts'
import { type Antenna, blankCards, cardImage, type SimulatedCard } from './devices/simulated-card.ts'

/** What stands in a lobby without hardware: a dispenser, and an encoder whose antenna is where its cards are held. */
export interface SimulatedLobby {
  dispenser: Machine & Antenna
  encoder: Reader
  /** A new wire to a device by its name; an unknown name is an Error. The devices outlive their wires. */
  connect(name: string): Duplex
}

export const simulated = 'simulated:'

/**
 * A lobby whose guests put the cards they take into a folder, one JSON file a card: `nightporter door` presents them
 * from there. Without a folder they keep them in `dispenser.taken`.
 */
export function simulatedLobby(options: {
  pocket: string | null
  cards: number
  takenAfterMs: number | null
  pace: number
}): SimulatedLobby {
  const { pocket, cards, takenAfterMs, pace } = options
  const dispenser = machine({ stack: blankCards(cards, null, 'classic'), takenAfterMs, pace })
  if (pocket) dispenser.onTaken = (card) => keepIn(pocket, card)
  const encoder = reader({ antenna: dispenser, pace })
  const plays: Record<string, (wire: Duplex) => Promise<void>> = {
    dispenser: (wire) => simulateCrt571(wire, dispenser),
    encoder: (wire) => simulateTwn4(wire, encoder),
  }
  return {
    dispenser,
    encoder,
    connect(name) {
      const play = Object.hasOwn(plays, name) ? plays[name] : undefined
      if (!play)
        throw new Error(`there is no simulated ${name}; there are ${Object.keys(plays).join(' and ')}`)
      const [near, far] = duplexPair()
      void play(far)
      return near
    },
  }
}

function keepIn(pocket: string, card: SimulatedCard): void {
  mkdirSync(pocket, { recursive: true })
  const image = cardImage(card)
  writeFileSync(join(pocket, `${image.uid}.json`), `${JSON.stringify(image, null, 2)}\n`)
}
