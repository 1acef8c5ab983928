import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { nullable } from '../../resource/schema.ts'
import { type SupportConsole, SupportRefused } from './support-console.ts'

const route = routesAt('/api/config/v1')
const path = 'support-console'

/** Returns the routes of the support console of a box. */
export function supportConsoleRoutes(support: SupportConsole): Route[] {
  function answer(): Answer {
    const { isImage, endsAt } = support.read()
    const attributes = { isImage, endsAt: endsAt === null ? null : new Date(endsAt).toISOString() }
    return { status: 200, text: JSON.stringify({ data: { type: path, id: path, attributes } }) }
  }

  function read({ query }: Request): Answer {
    expectNoParameters(query)
    return answer()
  }

  const acting = (action: 'open' | 'close') => async (request: Request) => {
    const options = withoutDryRun(request)
    try {
      if (!options.idempotency?.answered) await support[action](options)
    } catch (error) {
      if (error instanceof SupportRefused)
        throw new Problem('support-refused', error.message, { cause: error })
      throw error
    }
    return answer()
  }

  return [
    route('GET', path, 'config.read', says.read, read),
    route('POST', `${path}/actions/open`, 'support.open', says.open, acting('open')),
    route('POST', `${path}/actions/close`, 'config.write', says.close, acting('close')),
  ]
}

const schema = documentOf(
  path,
  exactly({
    isImage: {
      type: 'boolean',
      description: 'Whether the machine runs the image of a box; otherwise it has no support console.',
    },
    endsAt: nullable({
      type: 'string',
      format: 'date-time',
      description: 'When the open console ends; null while it is closed.',
    }),
  }),
)

const says = {
  read: {
    id: 'readSupportConsole',
    summary: 'Read whether the support console of the box is open',
    answers: { 200: { schema } },
    problems: ['unknown-parameter'],
  },
  open: {
    id: 'openSupportConsole',
    summary: 'Open the support console on the screen of the box for an hour',
    notes:
      'It is a command line on the second screen of the box (Alt+F2), for the person with a keyboard there, and for nobody on the network. It reads the journal and the state of the machine. It cannot read the data of the property and changes nothing.',
    answers: { 200: { schema } },
    problems: ['support-refused'],
    trial: false,
  },
  close: {
    id: 'closeSupportConsole',
    summary: 'Close the support console of the box',
    answers: { 200: { schema } },
    problems: ['support-refused'],
    trial: false,
  },
} satisfies Record<string, Description>
