import type { Bookings, SimulatedStay } from './bookings.ts'

interface ClerkOptions {
  house: Bookings
  /** From 0 to 1, without 1. */
  random(): number
}

const dayMs = 86_400_000
const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** A simulated clerk at OPERA, who books and changes at random. Each deed returns what was done, and for which reservation. */
export function simulatedClerk({ house, random }: ClerkOptions) {
  const among = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]

  /** Books a stay that begins within two weeks, often today. */
  function books(): string {
    const inDays = random() < 0.4 ? 0 : Math.floor(random() * 14)
    const arrival = Date.parse(house.businessDate) + inDays * dayMs
    const room = among([...house.rooms.values()])
    const id = house.book({
      givenName: among(givenNames) ?? '',
      surname: among(surnames) ?? '',
      roomType: room?.roomType ?? 'DBL',
      arrival: dateOf(arrival),
      departure: dateOf(arrival + (1 + Math.floor(random() * 4)) * dayMs),
    })
    return `books ${id}`
  }

  /** A room of the type without another reservation at that time; undefined for none. */
  function freeRoom({ id, roomType, arrival, departure }: SimulatedStay): string | undefined {
    const taken = [...house.stays.values()].filter(
      (other) =>
        other.id !== id &&
        ['Reserved', 'InHouse'].includes(other.status) &&
        other.arrival < departure &&
        other.departure > arrival,
    )
    const free = [...house.rooms].filter(
      ([name, room]) => room.roomType === roomType && !taken.some(({ roomId }) => roomId === name),
    )
    return among(free)?.[0]
  }

  const deeds: Record<string, (stay: SimulatedStay) => Partial<SimulatedStay>> = {
    assigns: (stay) => ({ roomId: freeRoom(stay) ?? stay.roomId }),
    extends: ({ departure }) => ({ departure: dateOf(Date.parse(departure) + dayMs) }),
    cancels: () => ({ status: 'Cancelled', roomId: null }),
  }

  return {
    books,
    /** Makes one change. */
    act(): string {
      const stay = among([...house.stays.values()].filter(({ status }) => status === 'Reserved'))
      if (!stay || random() < 0.3) return books()
      const did = among(Object.keys(deeds)) ?? ''
      house.change(stay.id, deeds[did]?.(stay) ?? {})
      return `${did} ${stay.id}`
    },
  }
}

const givenNames = ['Sofía', 'Jean', 'Aylin', 'Ole', 'Mónica', 'Zoë', 'Haruto', 'Björn', 'Ines', 'Łukasz']
const surnames = ['García', 'Dupont', 'Yılmaz', 'Nilsen', "O'Brien", 'Müller', 'Satō', 'Åberg', 'Costa']
