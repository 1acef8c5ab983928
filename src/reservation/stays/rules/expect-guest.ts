import type { Caller, Route } from '../../../jsonapi/route.ts'
import { Problem } from '../../../resource/problem.ts'

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
    'Find the stay of this guest first, by a number of the booking and the last name. The proof ends when nothing is asked about the stay for five minutes.',
    { ...(pointer && { pointer }), meta: { scope: 'reservations.read' } },
  )
}

/** The Problem for a search about which too much was wrong before. It does not say what is right. */
export function tooMuchWrong(): Problem {
  return new Problem(
    'kiosk-scope',
    'Too many answers were wrong. No proof of a guest is taken for 15 minutes; the front desk helps.',
    { meta: { scope: 'reservations.read', guest: 'desk' } },
  )
}

/** A route of one stay, whose id is in the path. The guest of a kiosk has given a proof for it, and is there until its end. */
export function ofGuest({ handle, ...route }: Route): Route {
  return {
    ...refusingStrangers(route),
    handle(request) {
      const { caller, params, query } = request
      if (!findsOnly(caller)) return handle(request)
      const stayId = (params.stayId ?? params.id ?? '').toLowerCase()
      // The reservation of a stay has the stays of other guests.
      const isWhole = query.getAll('include').some((paths) => /(^|,)\s*reservation\b/.test(paths))
      if (isWhole || !caller.guests.has(stayId)) throw guestUnknown()
      return caller.guests.during(stayId, () => handle(request))
    },
  }
}

/** The route with `kiosk-scope` among the problems that it declares. */
export function refusingStrangers<Described extends Pick<Route, 'description'>>(route: Described): Described {
  const { problems = [] } = route.description
  return { ...route, description: { ...route.description, problems: [...problems, 'kiosk-scope'] } }
}
