import type { Socket } from 'node:net'
import { passTime } from '../../test-clock.ts'
import { guestOf } from '../adapters/fias/guests.ts'
import { eventually } from '../sync/linked-house.ts'
import type { FiasHouse } from './fias-house.ts'
import { type Expected, expectHealing } from './hostile-house.ts'

/** What a PMS does that is hostile, until it ends. */
export interface Deeds {
  begin(): Promise<void> | void
  end(): Promise<void> | void
}

/** A kind of a hostile PMS. */
export type Row = [what: string, expected: Expected, deeds: Deeds]

/** Records as they are on a line without check bytes. */
export const framed = (...texts: string[]) => texts.map((text) => `\x02${text}\x03`).join('')

/** The record with which a PMS checks such a guest in. */
export const checkIn = (number: string, room: string) =>
  `GI|${Object.entries(guestOf(number, room))
    .map(([name, value]) => `${name}${value}|`)
    .join('')}`

/** The deeds of a PMS at the line of this house, which may be opened later. */
export function deedsAt(houseOf: () => FiasHouse) {
  /** Does it to each connection instead of what a PMS does, on a new line. */
  const plays = (play: (socket: Socket) => void): Deeds => {
    let played: FiasHouse['wire']['play']
    return {
      begin() {
        const { wire } = houseOf()
        played = wire.play
        wire.play = play
        wire.drop()
      },
      end() {
        houseOf().wire.play = played
      },
    }
  }

  return {
    plays,

    /** Does this to each connection too, on a new line. */
    also: (more: (socket: Socket) => void): Deeds =>
      plays((socket) => {
        void houseOf().foreign.play(socket)
        more(socket)
      }),

    /** Sends these bytes on the line. */
    sends: (bytes: () => string): Deeds => ({
      begin: () => houseOf().wire.raw(bytes()),
      end() {},
    }),

    /** Sends these bytes every second. */
    repeats(bytes: string): Deeds {
      let timer: { cancel(): void }
      return {
        begin() {
          const { wire, clock } = houseOf()
          wire.raw(bytes)
          timer = clock.setInterval(() => wire.raw(bytes), 1_000)
        },
        end: () => timer.cancel(),
      }
    },

    /** Answers each request for a database swap so, on a new line. */
    swaps(answer: () => void): Deeds {
      let answered: FiasHouse['foreign']['requested']
      return {
        async begin() {
          const { foreign, wire } = houseOf()
          const { links } = foreign
          answered = foreign.requested
          foreign.requested = ({ id }) => {
            if (id === 'DR') answer()
          }
          wire.drop()
          await eventually('a new link', () => foreign.links > links)
        },
        end() {
          houseOf().foreign.requested = answered
        },
      }
    },

    /** Looks whether the house heals, and no guest and no key has come to harm. */
    async heals([what, expected, deeds]: Row): Promise<void> {
      const house = houseOf()
      await expectHealing(house, what, expected, deeds)
      await house.expectNoHarm()
      // A line that was up for less than a second is opened again after a longer pause.
      await passTime(2_000)
    },
  }
}
