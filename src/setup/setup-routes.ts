import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import { expectNoParameters, unknownParameter } from '../jsonapi/query/query.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import {
  type Answer,
  expectAdmitted,
  largeBody,
  type Request,
  type Route,
  routesAt,
} from '../jsonapi/route.ts'
import { bodyOf } from '../jsonapi/schemas/validate.ts'
import { text } from '../jsonapi/schemas/words.ts'
import { writeOptions } from '../jsonapi/write-options.ts'
import type { Scratch } from '../resource/keeper.ts'
import { applySetup } from './apply-setup.ts'
import type { Change, StaffCode } from './applying.ts'
import { askOwn } from './ask-own.ts'
import type { Found } from './check-item.ts'
import { exportSetup } from './export-setup.ts'
import { noteSetup } from './note-setup.ts'
import type { ListedRoom } from './room-list.ts'
import type { Room } from './room-pattern.ts'
import { documentSchema, patternRooms, readForm, type SetupDocument } from './setup-document.ts'

const base = '/api/config/v1'
const route = routesAt(base)

/**
 * Returns the routes that set up a property from one document, and give the document of the present one. `routes`
 * returns all routes of the appliance. `trials` opens a scratch store for a trial, and returns the routes that write to it what a document describes.
 */
export function setupRoutes(
  { reader, writer }: Pick<Store, 'reader' | 'writer'>,
  routes: () => readonly Route[],
  trials: { open(): Scratch; routes(scratch: Scratch): readonly Route[] },
): Route[] {
  async function apply(request: Request): Promise<Answer> {
    const options = writeOptions(request)
    const trial = options.dryRun === true
    const { document, form } = await readForm((await request.body()) ?? {})
    const done = options.idempotency?.answered?.output as Change[] | undefined
    if (done) return answer(done)
    const planned = await tried(document, form, request)
    if (trial) return answer(planned)
    const ask = askOwn(routes(), request, false)
    const { changes, codes } = await applySetup(document, { reader, ask, write: ask, trial })
    // The codes are not stored, so a repeat of the request does not show them.
    return answer(await writer.execute(noteSetup, { changes }, options), codes)
  }

  /** Returns the changes that the document would make. Throws all its problems. */
  async function tried(document: SetupDocument, form: Found, request: Request): Promise<Change[]> {
    const scratch = trials.open()
    try {
      const own = trials.routes(scratch)
      const ask = askOwn([...own, ...routes()], request, true)
      const means = { reader: scratch.reader, ask, write: askOwn(own, request, false), trial: true }
      return (await applySetup(document, means, form)).changes
    } finally {
      scratch.close()
    }
  }

  async function read(request: Request): Promise<Answer> {
    expectNoParameters(request.query)
    for (const scope of ['properties.read', 'units.read', 'devices.read'])
      expectAdmitted(request.caller, { scope })
    const { data } = await askOwn(routes(), request, false)('GET', `${base}/certificate`)
    const document = exportSetup(reader, data.attributes.givenNames)
    if (!request.caller.may('accounts.read')) delete document.staff
    return {
      status: 200,
      text: JSON.stringify({ data: { type: 'setup', id: 'setup', attributes: { document } } }),
    }
  }

  async function readList(request: Request): Promise<Answer> {
    expectNoParameters(request.query)
    const { list } = await bodyOf<{ list: string }>(request, listSchema)
    // The parser of CSV is loaded with the first list.
    const { roomsInList } = await import('./room-list.ts')
    return roomsAnswer(roomsInList(list, '/list'))
  }

  return [
    route('GET', 'setup', 'config.read', says.read, read),
    route('GET', 'setup/rooms', 'config.read', says.rooms, async ({ query }) => {
      for (const name of query.keys()) if (name !== 'pattern') throw unknownParameter(name, ['pattern'])
      return roomsAnswer(await patternRooms((query.get('pattern') ?? '').slice(0, 10_000), '/pattern'))
    }),
    ...[
      route('POST', 'setup/actions/read-rooms', 'config.read', says.list, readList),
      route('POST', 'setup/actions/apply', 'config.write', says.apply, apply),
    ].map((each) => ({ ...each, largestBody: largeBody })),
  ]
}

function answer(changes: Change[], codes: StaffCode[] = []): Answer {
  return {
    status: 200,
    text: JSON.stringify({ data: { type: 'setup', id: 'setup', attributes: { changes, codes } } }),
  }
}

function roomsAnswer(rooms: readonly ListedRoom[] | readonly Room[]): Answer {
  return {
    status: 200,
    text: JSON.stringify({ data: { type: 'rooms', id: 'rooms', attributes: { rooms } } }),
  }
}

const listSchema = exactly({ list: text })
const roomsDocument = documentOf(
  'rooms',
  exactly({
    rooms: {
      type: 'array',
      items: exactly({ name: text, unitType: text, floor: { type: ['string', 'null'] } }, ['floor']),
    },
  }),
)

const texts = { type: 'array', items: text }
const change = exactly({
  path: { ...text, description: 'The place in the document, such as `/encoders/0`.' },
  action: { enum: ['create', 'update', 'map'], description: '`map`: units get their locks.' },
  names: texts,
  fields: { ...texts, description: 'The fields that differ, of an update.' },
})

const staffCode = exactly({
  name: text,
  code: {
    ...text,
    description: 'With it the new member of the staff sets password and passcode. It is shown only once.',
  },
  codeEndsAt: { ...text, format: 'date-time' },
})

const says = {
  read: {
    id: 'readSetup',
    summary: 'Read the set-up document of the property',
    notes:
      'Settings, rooms, devices and connections by their names, without secrets. It can be applied to another property.',
    answers: { 200: { schema: documentOf('setup', exactly({ document: documentSchema })) } },
    problems: ['unknown-parameter'],
  },
  rooms: {
    id: 'previewRooms',
    summary: 'See which rooms a pattern describes',
    query: {
      pattern: {
        schema: text,
        notes: 'Such as `101-130 DBL; 201-230 DBL except 213; 301,302 SUI`.',
        required: true,
      },
    },
    answers: {
      200: {
        schema: roomsDocument,
      },
    },
    problems: ['unknown-parameter', 'validation-failed'],
  },
  list: {
    id: 'readRoomList',
    summary: 'See which rooms a list describes',
    notes:
      'In each line a room, the code of its unit type, and a floor if there is one, separated by tab, semicolon, bar or comma. Nothing is stored. `meta.line` of an error is the line that cannot be read.',
    body: { schema: listSchema, example: { list: 'Room;Type;Floor\n101;DBL;1' } },
    answers: { 200: { schema: roomsDocument } },
    problems: ['unknown-parameter', 'validation-failed'],
  },
  apply: {
    id: 'applySetup',
    summary: 'Set up the property from one document',
    notes: `Makes what is missing and changes what differs; what the document does not name stays as it is. The document is checked as a whole first, and
nothing is written if something in it is wrong, also if its items exclude one another. What changes meanwhile may still refuse an item while it is
written: the error then has \`meta.whileWriting\`, and what was made before it stays. A repeat changes nothing. Members name each other by name or code, never by id. Secrets are taken when an item is made.`,
    body: {
      schema: documentSchema,
      example: {
        settings: { checkInTime: '15:00' },
        unitTypes: [{ code: 'SUI', name: 'Suite' }],
        rooms: '901-903 SUI',
      },
    },
    answers: {
      200: {
        schema: documentOf(
          'setup',
          exactly({ changes: { type: 'array', items: change }, codes: { type: 'array', items: staffCode } }),
        ),
      },
    },
    device: true,
  },
} satisfies Record<string, Description>
