import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Answer, Request, Route } from '../../jsonapi/route.ts'
import { count, text } from '../../jsonapi/schemas/words.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { orAdapterProblem } from '../adapter-problem.ts'
import type { Pms } from '../pms.ts'
import { type PmsConfiguration, pmsConfiguration } from '../resources/pms-configuration.ts'
import { quarantinedMessage } from '../resources/quarantined-message.ts'
import { linkOf, noCounts } from './loop/linked.ts'
import type { SyncRequest } from './loop/rounds.ts'

const base = '/api/config/v1'
const one = 'pms-configurations/:configurationId'

/** The state of the synchronisation with each PMS, and requests to do it now. */
export function syncRoutes({ reader }: Pick<Store, 'reader'>, pms: Pms): Route[] {
  async function state(request: Request): Promise<Answer> {
    expectNoParameters(request.query)
    await pms.sync.settled()
    const row = reader.row(pmsConfiguration, request.params.configurationId ?? '')
    if (!row) throw new Problem('not-found', 'There is no PMS configuration with this id.')
    return answer(row)
  }

  const does = (asked: SyncRequest) => async (request: Request) => {
    withoutDryRun(request)
    const row = pms.configurationBy(request.params.configurationId ?? '')
    await pms.sync.settled()
    const isLinked = pms.sync.isLinked(row.id)
    const counts = isLinked ? await orAdapterProblem(pms.sync.ask(row, asked)) : noCounts()
    return answer(row, { counts })
  }

  async function retry(request: Request): Promise<Answer> {
    withoutDryRun(request)
    const message = reader.row(quarantinedMessage, request.params.id ?? '')
    if (!message) throw new Problem('not-found', 'There is no quarantined message with this id.')
    const row = pms.configurationBy(message.configurationId)
    const reason = await orAdapterProblem(pms.sync.retry(row, message))
    const attributes = { taken: reason === null, reason }
    return textAnswer('quarantined-message-retry', message.id, attributes)
  }

  function answer(row: PmsConfiguration, meta?: object): Answer {
    const contact = pms.states().find(({ configurationId }) => configurationId === row.id)!
    const link = linkOf(reader, row.id)
    const { state, lastContactAt, trouble, ...numbers } = contact
    const fault = contact.fault ?? trouble
    const loop = pms.sync.loopAt(row.id)
    const attributes = {
      name: row.name,
      direction: row.direction ?? 'Both',
      isKeptInStep: loop !== null,
      state,
      fault,
      lastContactAt: moment(lastContactAt),
      inStepAt: moment(loop?.inStepAt() ?? link?.inStepAt ?? null),
      outbox: numbers.outbox,
      inboxLag: numbers.inboxLag,
      conflicts: numbers.conflicts,
      quarantined: numbers.quarantined,
      forgotten: link?.forgotten ?? 0,
      lends: link?.lends ?? false,
      pullCursor: link?.pullCursor ?? null,
      eventsBehind:
        link && loop?.isPublishing() ? Math.max(0, reader.lastSequence() - link.publishedTo) : null,
    }
    return textAnswer('sync-state', row.id, attributes, meta)
  }

  const action = (asked: SyncRequest): Route => ({
    method: 'POST',
    path: `${one}/actions/${asked}`,
    base,
    scope: 'config.write',
    handle: does(asked),
    description: says[asked],
  })

  return [
    {
      method: 'GET',
      path: `${one}/sync`,
      base,
      scope: 'upstream.read',
      handle: state,
      description: says.state,
    },
    action('pull'),
    action('push'),
    action('full-load'),
    {
      method: 'POST',
      path: 'quarantined-messages/:id/actions/retry',
      base,
      scope: 'config.write',
      handle: retry,
      description: says.retry,
    },
  ]
}

function textAnswer(type: string, id: string, attributes: object, meta?: object): Answer {
  return { status: 200, text: JSON.stringify({ data: { type, id, attributes }, ...(meta && { meta }) }) }
}

function moment(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString()
}

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const instant = orNull({ type: 'string', format: 'date-time' })

const stateSchema = exactly({
  name: text,
  direction: { enum: ['FromPms', 'ToPms', 'Both'] },
  isKeptInStep: { type: 'boolean', description: 'Whether its adapter synchronises reservations.' },
  state: { enum: ['connected', 'disconnected', 'unknown', 'disabled'] },
  fault: {
    ...orNull(text),
    description: 'Why the last request failed, or why synchronisation does not succeed.',
  },
  lastContactAt: instant,
  inStepAt: { ...instant, description: 'When the appliance had last fetched all changes of the PMS.' },
  outbox: {
    ...orNull(count),
    description: 'Reservations whose current state is not yet sent to the PMS.',
  },
  inboxLag: {
    ...orNull(count),
    description:
      'Seconds since the appliance had last fetched all changes of the PMS; 0 while none is left to fetch.',
  },
  conflicts: { ...orNull(count), description: 'Conflicts that nobody has accepted or decided yet.' },
  quarantined: { ...orNull(count), description: 'Messages that could not be processed.' },
  forgotten: { ...count, description: 'Quarantined messages that were dropped for newer ones.' },
  lends: {
    type: 'boolean',
    description: 'Whether the PMS grants leases of units for times without a connection.',
  },
  pullCursor: { ...orNull(text), description: 'The cursor of the PMS after the fetched changes.' },
  eventsBehind: {
    ...orNull(count),
    description:
      'Journal lines after the last event that the PMS has confirmed (not every line is an event); null if it gets no events.',
  },
})

const countsSchema = exactly(Object.fromEntries(Object.keys(noCounts()).map((name) => [name, count])))
const stateDocument = documentOf('sync-state', stateSchema)
const doneDocument = {
  ...stateDocument,
  properties: { ...(stateDocument.properties as object), meta: exactly({ counts: countsSchema }) },
  required: ['data', 'meta'],
}

const actionAnswers = {
  answers: { 200: { schema: doneDocument } },
  problems: ['configuration-disabled', 'unknown-parameter'],
  trial: false,
  device: true,
} satisfies Partial<Description>

const says = {
  state: {
    id: 'readSyncState',
    summary: 'Read the state of the synchronisation with a PMS',
    answers: { 200: { schema: stateDocument } },
    problems: ['unknown-parameter'],
  },
  pull: {
    ...actionAnswers,
    id: 'pullFromPms',
    summary: 'Fetch changes from a PMS now',
    notes: 'Does not wait for a retry or the next regular fetch. Answers with the counts when it is done.',
  },
  push: {
    ...actionAnswers,
    id: 'pushToPms',
    summary: 'Send local changes to a PMS now',
    notes: 'Changes that it has refused are sent again too.',
  },
  'full-load': {
    ...actionAnswers,
    id: 'loadAllFromPms',
    summary: 'Fetch all reservations from a PMS again',
    notes: 'A reservation whose revision is already stored is not changed.',
  },
  retry: {
    id: 'retryQuarantinedMessage',
    summary: 'Retry a quarantined message',
    notes: 'If it can be processed now, it leaves the quarantine.',
    answers: {
      200: {
        schema: documentOf(
          'quarantined-message-retry',
          exactly({
            taken: { type: 'boolean' },
            reason: { ...orNull(text), description: 'Why it still cannot be processed.' },
          }),
        ),
      },
    },
    problems: ['configuration-disabled', 'unknown-parameter'],
    trial: false,
    device: true,
  },
} satisfies Record<SyncRequest | 'state' | 'retry', Description>
