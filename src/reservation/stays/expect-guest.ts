import type { Caller, Route } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'

/** Whether a caller may only find single stays, as a kiosk, and so must know its guest. */
export function findsOnly({ may }: Pick<Caller, 'may'>): boolean {
  return may('reservations.find') && !may('reservations.read')
}

/**
 * Throws 403 `kiosk-scope` where a caller may only find single stays, and no guest has given a proof for this one: a number
 * of the booking and the last name of its guest, or name, day of arrival and something on file.
 */
export function expectGuest(caller: Caller, stayId: string): void {
  if (findsOnly(caller) && !caller.guests.has(stayId.toLowerCase())) throw guestUnknown()
}

/** The Problem for a stay whose guest has not given a proof at this client. */
export function guestUnknown(pointer?: string): Problem {
  return new Problem(
    'kiosk-scope',
    'Find the stay of this guest first, by a number of the booking and the last name. A stay that was found is left after five minutes.',
    { ...(pointer && { pointer }), meta: { scope: 'reservations.read' } },
  )
}

/** A route of one stay, whose id is in the path. The guest of a kiosk has given a proof for it, and is there until its end. */
export function ofGuest({ handle, ...route }: Route): Route {
  return {
    ...refusingStrangers(route),
    async handle(request) {
      const { caller, params, query } = request
      if (!findsOnly(caller)) return handle(request)
      const stayId = (params.stayId ?? params.id ?? '').toLowerCase()
      // The reservation of a stay has the stays of other guests.
      const isWhole = /(^|,)reservation\b/.test(query.get('include') ?? '')
      if (isWhole || !caller.guests.has(stayId)) throw guestUnknown()
      try {
        return await handle(request)
      } finally {
        caller.guests.keep(stayId)
      }
    },
  }
}

/** The same with the problem of a stay whose guest is not known. */
export function refusingStrangers<Described extends Pick<Route, 'description'>>(route: Described): Described {
  const { problems = [] } = route.description
  return { ...route, description: { ...route.description, problems: [...problems, 'kiosk-scope'] } }
}
