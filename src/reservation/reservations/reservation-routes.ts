import type { Description } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { created, type Store } from '../../jsonapi/resource-routes.ts'
import { largeBody, noContent, type Request, type Route } from '../../jsonapi/route.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { expectNarrow } from '../stays/narrow-search.ts'
import { readReservation } from '../stays/stay-body.ts'
import { rightsOf } from '../stays/stay-routes.ts'
import type { ReservationCommands } from './reservation-commands.ts'

const base = '/api/v2'
const one = 'reservations/:reservationId'

/** The routes of whole reservations with their stays. */
export function wholeReservationRoutes(store: Store, commands: ReservationCommands): Route[] {
  const { writer } = store
  const { read, write } = reservation.scopes

  function list(request: Request) {
    const asked = readQuery(store.resources, reservation, request.query)
    if (!request.caller.may('reservations.read')) expectNarrow(asked.query.filters)
    return listAnswer(store, reservation, asked, request)
  }

  async function create(request: Request) {
    const input = { ...(await readReservation(await request.body())), source: sourceOf(request) }
    return created(
      reservation,
      await writer.execute(commands.createReservation, input, writeOptions(request)),
    )
  }

  const update = (whole: boolean) => async (request: Request) => {
    const input = {
      ...(await readReservation(await request.body())),
      id: request.params.reservationId ?? '',
      whole,
      rights: rightsOf(request),
      revision: expectedRevision(request),
    }
    return noContent(
      (await writer.execute(commands.replaceReservation, input, writeOptions(request))).revision,
    )
  }

  async function remove(request: Request) {
    const input = { id: request.params.reservationId ?? '', revision: expectedRevision(request) }
    await writer.execute(commands.removeReservation, input, writeOptions(request))
    return noContent()
  }

  const deprecated = `PUT ${base}/${one}`
  const writing = { base, scope: write, largestBody: largeBody } as const
  return [
    {
      method: 'GET',
      path: 'reservations',
      base,
      scope: read,
      quota: 'search',
      handle: list,
      description: says.list,
    },
    { method: 'POST', path: 'reservations', ...writing, handle: create, description: says.create },
    { method: 'PUT', path: one, ...writing, handle: update(true), description: says.replace },
    {
      method: 'PATCH',
      path: one,
      ...writing,
      handle: update(false),
      deprecated,
      description: says.patch,
    },
    { method: 'DELETE', path: one, base, scope: write, handle: remove, description: says.remove },
  ]
}

const sources: Record<string, string> = { kiosk: 'Kiosk', frontdesk: 'FrontDesk', integrator: 'Pms' }

function sourceOf({ caller }: Request): string {
  return sources[caller.role] ?? 'Api'
}

const plain = resourceDescriptions(reservation)
const inside = { stays: stay }
const problems = [
  'unit-change-refused',
  'balance-outstanding',
  'payment-currency-mismatch',
  'resource-referenced',
] as const

const says = {
  list: { ...plain.list, problems: ['kiosk-scope'] },
  create: { ...plain.create, body: { of: reservation, inside } },
  replace: {
    ...plain.replace,
    notes: `Stays are found again by id, else by externalId, else by start and unit type; those left out are canceled or
deleted.`,
    body: { of: reservation, inside },
    problems,
  },
  patch: {
    ...plain.patch,
    body: { of: reservation, partial: true, inside, example: { comment: 'Late.' } },
    problems,
  },
  remove: plain.remove,
} satisfies Record<string, Description>
