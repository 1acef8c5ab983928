import { type Description, exactly, listOf } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import type { Answer, Request, Route } from '../../jsonapi/route.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import { expectSeen, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { nullable } from '../../resource/schema.ts'
import { account } from '../resources/account.ts'
import { type Session, session } from '../resources/session.ts'
import { station } from '../resources/station.ts'
import { expectOwn } from '../rights/own-rights.ts'
import { endSession } from '../sessions/session-commands.ts'
import type { SessionDesk } from '../sessions/session-context.ts'

/**
 * Returns the routes that list and end the sessions of the caller's account, and the route with which an administrator
 * ends any session. The route that lists all sessions is derived from the resource.
 */
export function sessionLists(desk: SessionDesk): Route[] {
  // Every role has this scope.
  const own = { base: '/api/v2', scope: 'status.read' } as const
  return [
    {
      ...own,
      method: 'GET',
      path: 'sessions',
      description: says.list,
      handle: (request) => list(desk, request),
    },
    {
      ...own,
      method: 'DELETE',
      path: 'sessions/:id',
      description: says.end,
      handle: (request) => end(desk, request, ({ accountId }) => accountId === request.caller.by),
    },
    {
      method: 'DELETE',
      base: '/api/config/v1',
      path: 'sessions/:id',
      scope: 'accounts.write',
      description: says.endAny,
      handle: (request) => end(desk, request, (row) => expectRights(desk, request, row)),
    },
  ]
}

function list({ reader }: SessionDesk, { caller, query }: Request): Answer {
  expectNoParameters(query)
  const filters = [{ path: 'accountId', operator: 'eq' as const, value: caller.by }]
  const rows = reader.rows(session, { filters, sort: [], page: { size: 100 } })
  const data = rows.map((row) => ({
    type: 'own-session',
    id: row.id,
    attributes: {
      current: row.id === caller.client,
      startedAt: instantOf(row.startedAt),
      lastUsedAt: instantOf(row.lastUsedAt),
      endsAt: instantOf(row.endsAt),
      address: row.address ?? null,
      station: row.stationId ? (reader.row(station, row.stationId)?.name ?? null) : null,
    },
  }))
  return { status: 200, text: JSON.stringify({ data, links: { self: '/api/v2/sessions' } }) }
}

async function end(
  { reader, writer }: SessionDesk,
  request: Request,
  may: (row: Session) => boolean,
): Promise<Answer> {
  const row = reader.row(session, request.params.id ?? '')
  if (!row || !may(row)) throw new Problem('not-found', 'There is no such session.')
  expectSeen(request, row)
  await writer.execute(endSession, { id: row.id, reason: 'revoked' }, writeOptions(request))
  return noContent()
}

/** Throws scope-required unless the caller has all scopes of the person whose session is to end. */
function expectRights({ reader }: SessionDesk, { caller }: Request, { accountId }: Session): true {
  const who = accountId ? reader.row(account, accountId) : null
  if (who) expectOwn(caller, who, 'account')
  return true
}

function instantOf(at: number | null | undefined): string | null {
  return at == null ? null : new Date(at).toISOString()
}

const instant = nullable({ ...text, format: 'date-time' })

const says = {
  list: {
    id: 'listOwnSessions',
    summary: 'List the sessions of the own account',
    notes: 'A token has none.',
    answers: {
      200: {
        schema: listOf(
          'own-session',
          exactly({
            current: { type: 'boolean' },
            startedAt: instant,
            lastUsedAt: instant,
            endsAt: instant,
            address: nullable(text),
            station: nullable(text),
          }),
        ),
      },
    },
    problems: ['unknown-parameter'],
  },
  end: {
    id: 'endOwnSession',
    summary: 'End a session of the own account',
    answers: { 204: {} },
  },
  endAny: {
    ...resourceDescriptions(session).remove,
    notes: 'That of a kiosk too. For the session of a person the caller needs the rights of that person.',
  },
} satisfies Record<string, Description>
