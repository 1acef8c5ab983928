import type { CardDispenser } from '../../devices/capability.ts'
import type { DispenserHandle } from './device-handle.ts'

/** The card that each dispenser is making. The record outlives the handle of the dispenser. */
export type CardsInMaking = ReturnType<typeof cardsInMaking>

/** Returns an empty record. */
export function cardsInMaking() {
  const making = new Map<string, Promise<unknown>>()
  return {
    /** Runs `work` alone at the machine. The next start of the machine waits for it before it recovers. */
    make: <T>({ id, bay }: DispenserHandle, work: (machine: CardDispenser) => Promise<T>): Promise<T> =>
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
    /** Resolves when the card at a dispenser has ended, successfully or not; undefined where there is none. */
    ended: (dispenserId: string): Promise<unknown> | undefined => making.get(dispenserId),
    allEnded: (): Promise<unknown> => Promise.all(making.values()),
  }
}
