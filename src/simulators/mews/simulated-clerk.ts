import type { MewsReservation } from '../../pms/adapters/mews/records.ts'
import type { SimulatedMews } from './simulated-property.ts'

interface ClerkOptions {
  mews: SimulatedMews
  /** Names of rooms by the codes of their categories. */
  units: Readonly<Record<string, readonly string[]>>
  /** Unix milliseconds. */
  now(): number
  /** From 0 to 1, without 1. */
  random(): number
}

/** A change of the clerk, and the number of its reservation. */
interface Done {
  did: string
  number: string
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** A simulated clerk at Mews, who books and changes at random. */
export function simulatedClerk({ mews, units, now, random }: ClerkOptions) {
  const among = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  const codes = Object.keys(units)

  const deeds: Record<string, (record: MewsReservation) => Partial<MewsReservation> | null> = {
    moves(record) {
      const room = freeRoom(record)
      return room ? { AssignedResourceId: room } : null
    },
    prolongs: ({ ScheduledEndUtc }) => ({
      ScheduledEndUtc: new Date(Date.parse(ScheduledEndUtc) + dayMs).toISOString(),
    }),
    cancels: () => ({ State: 'Canceled' }),
    'checks in'(record) {
      const room = record.AssignedResourceId ?? freeRoom(record)
      const isDue = Date.parse(record.ScheduledStartUtc) < now() + dayMs
      return room && isDue ? { State: 'Started', AssignedResourceId: room } : null
    },
  }

  function midnight(): number {
    return Math.floor(now() / dayMs) * dayMs
  }

  /** Books a stay that begins within two weeks, often today. */
  function books(): Done {
    const code = among(codes) ?? ''
    const inDays = random() < 0.4 ? 0 : Math.floor(random() * 14)
    const start = midnight() + inDays * dayMs + 14 * hourMs
    const nights = 1 + Math.floor(random() * 4)
    const id = mews.book({
      FirstName: among(firstNames) ?? '',
      LastName: among(lastNames) ?? '',
      RequestedResourceCategoryId: mews.categoryId(code),
      ScheduledStartUtc: new Date(start).toISOString(),
      ScheduledEndUtc: new Date(start + nights * dayMs - 4 * hourMs).toISOString(),
    })
    return { did: 'books', number: mews.reservations.get(id)?.Number ?? '' }
  }

  /** A room of the category without another reservation at that time; null for none. */
  function freeRoom({ Id, RequestedResourceCategoryId, ...mine }: MewsReservation): string | null {
    const others = [...mews.reservations.values()].filter(
      (other) =>
        other.Id !== Id &&
        ['Confirmed', 'Started'].includes(other.State) &&
        other.ScheduledStartUtc < mine.ScheduledEndUtc &&
        other.ScheduledEndUtc > mine.ScheduledStartUtc,
    )
    const rooms = [...mews.rooms.values()].filter(
      ({ id, category }) =>
        mews.categoryId(category) === RequestedResourceCategoryId &&
        !others.some(({ AssignedResourceId }) => AssignedResourceId === id),
    )
    return among(rooms)?.id ?? null
  }

  return {
    books,
    /** Makes one change. */
    act(): Done {
      const kept = among([...mews.reservations.values()].filter(({ State }) => State === 'Confirmed'))
      const did = among(Object.keys(deeds)) ?? ''
      const change = kept && random() >= 0.3 ? deeds[did]?.(kept) : null
      if (!kept || !change) return books()
      mews.change(kept.Id, change)
      return { did, number: kept.Number }
    },
  }
}

const firstNames = ['Sofía', 'Jean', 'Aylin', 'Ole', 'Mónica', 'Zoë', 'Haruto', 'Björn', 'Ines', 'Łukasz']
const lastNames = ['García', 'Dupont', 'Yılmaz', 'Nilsen', "O'Brien", 'Müller', 'Satō', 'Åberg', 'Costa']
