import type { CardDispenser } from '../../devices/capability.ts'
import type { DispenserHandle } from './device-handle.ts'

/** The card in the making at each dispenser. It outlives a handle that is dropped. */
export interface CardsInMaking {
  /** The machine for one card, alone; its next start recovers nothing before this has ended. */
  make<T>(handle: DispenserHandle, work: (machine: CardDispenser) => Promise<T>): Promise<T>
  /** Resolves when the card at a dispenser has ended, however it did; undefined where there is none. */
  ended(dispenserId: string): Promise<unknown> | undefined
  allEnded(): Promise<unknown>
}

/** No card is in the making yet. */
export function cardsInMaking(): CardsInMaking {
  const making = new Map<string, Promise<unknown>>()
  return {
    make: ({ id, bay }, work) =>
      bay.use(async (machine) => {
        const made = work(machine)
        const ended = made.catch(() => {})
        making.set(id, ended)
        try {
          return await made
        } finally {
          if (making.get(id) === ended) making.delete(id)
        }
      }),
    ended: (dispenserId) => making.get(dispenserId),
    allEnded: () => Promise.all(making.values()),
  }
}
