import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { writeOptions } from '../../jsonapi/write-options.ts'
import { claimEpoch, type Epoch, epochOf, handOver, seeEpoch } from './epoch.ts'

const route = routesAt('/api/config/v1')

/** Returns the routes about the epoch of the box: which of two boxes has the property. */
export function epochRoutes({ reader, writer }: Pick<Store, 'reader' | 'writer'>): Route[] {
  function read({ query }: Request): Answer {
    expectNoParameters(query)
    return answer(epochOf(reader))
  }

  async function see(request: Request): Promise<Answer> {
    const body = await bodyOf<{ epoch: number }>(request, seenSchema)
    return answer(await writer.execute(seeEpoch, body, writeOptions(request)))
  }

  async function claim(request: Request): Promise<Answer> {
    return answer(await writer.execute(claimEpoch, null, writeOptions(request)))
  }

  async function leave(request: Request): Promise<Answer> {
    return answer(await writer.execute(handOver, null, writeOptions(request)))
  }

  return [
    route('GET', 'epoch', 'config.read', says.read, read),
    route('POST', 'epoch/actions/see', 'config.write', says.see, see),
    route('POST', 'epoch/actions/claim', 'backups.restore', says.claim, claim),
    route('POST', 'epoch/actions/hand-over', 'backups.restore', says.leave, leave),
  ]
}

function answer({ own, seen }: Epoch): Answer {
  const attributes = { epoch: own, seen, isFenced: seen > own }
  return { status: 200, text: JSON.stringify({ data: { type: 'epoch', id: 'epoch', attributes } }) }
}

const highest = Number.MAX_SAFE_INTEGER
const seenSchema = exactly({ epoch: { type: 'integer', minimum: 1, maximum: highest } })

const schema = documentOf(
  'epoch',
  exactly({
    epoch: { type: 'integer', minimum: 1, description: 'The epoch of this box. Each restore raises it.' },
    seen: { type: 'integer', minimum: 0, description: 'The highest epoch of another box; 0 for none.' },
    isFenced: { type: 'boolean', description: 'Whether another box has the property. No key is made then.' },
  }),
)

const says = {
  read: {
    id: 'readEpoch',
    summary: 'Read the epoch of the box',
    answers: { 200: { schema } },
    problems: ['unknown-parameter'],
  },
  see: {
    id: 'seeEpoch',
    summary: 'Tell the box of the epoch of another box with the same property',
    notes:
      'A higher epoch than its own fences the box: it makes no more keys. A PMS tells it with its changes.',
    body: { schema: seenSchema, example: { epoch: 1 } },
    answers: { 200: { schema } },
  },
  claim: {
    id: 'claimEpoch',
    summary: 'State that this box has the property',
    notes:
      'Its epoch is raised beyond that of every other box, and keys are made again. Switch the other box off first.',
    answers: { 200: { schema } },
  },
  leave: {
    id: 'handOver',
    summary: 'Hand the property over to another box',
    notes:
      'From then on this box makes no keys, so a backup that is made now has all of them. `nightporter backup move` does this, and the rest. The action `claim` takes it back.',
    answers: { 200: { schema } },
  },
} satisfies Record<string, Description>
