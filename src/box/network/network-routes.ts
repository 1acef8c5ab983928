import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import type { Writer } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { nullable } from '../../resource/schema.ts'
import { type NetworkChanges, NetworkRefused } from './network-changes.ts'
import { type NetworkSettings, networkSettingsOf } from './network-settings.ts'
import { noteNetwork } from './note-network.ts'

const route = routesAt('/api/config/v1')

/** Returns the routes of the wired network of a box. */
export function networkRoutes({ writer }: { writer: Writer }, changes: NetworkChanges): Route[] {
  function answer(status: number): Answer {
    const { settings, trial = null, last = null } = changes.read() ?? {}
    const attributes = {
      isImage: settings !== undefined,
      address: settings?.address ?? null,
      gateway: settings?.gateway ?? null,
      dns: settings?.dns ?? [],
      ntp: settings?.ntp ?? [],
      trial: trial && { id: trial.id, endsAt: new Date(trial.endsAt).toISOString() },
      last,
    }
    const data = { type: 'network', id: 'network', attributes }
    return { status, text: JSON.stringify({ data }) }
  }

  function read({ query }: Request): Answer {
    expectNoParameters(query)
    return answer(200)
  }

  async function tryOut(request: Request): Promise<Answer> {
    const options = withoutDryRun(request)
    const settings = networkSettingsOf(await bodyOf<NetworkSettings>(request, settingsSchema))
    if (!settings?.address)
      throw invalidValue(
        '/address',
        'Expected dhcp, or an address such as 192.168.1.10/24, and addresses of servers.',
      )
    const id = refusing(() => changes.begin(settings))
    await writer.execute(noteNetwork, { action: 'try', address: settings.address }, options)
    const data = { type: 'network-trial', id, attributes: { address: settings.address } }
    return { status: 202, text: JSON.stringify({ data }) }
  }

  async function confirm(request: Request): Promise<Answer> {
    const options = withoutDryRun(request)
    const address = request.message.socket.localAddress ?? ''
    refusing(() => changes.confirm(request.params.id ?? '', address))
    await writer.execute(noteNetwork, { action: 'confirm', address }, options)
    return answer(202)
  }

  return [
    route('GET', 'network', 'config.read', says.read, read),
    route('POST', 'network/actions/try', 'config.write', says.tryOut, tryOut),
    route('POST', 'network/trials/:id/actions/confirm', 'config.write', says.confirm, confirm),
  ]
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof NetworkRefused) throw new Problem('network-refused', error.message, { cause: error })
    throw error
  }
}

const list = { type: 'array', items: { ...text, maxLength: 100 }, maxItems: 4 }
const settingsSchema = exactly(
  {
    address: { ...text, maxLength: 40, description: '`dhcp`, or an address such as `192.168.1.10/24`.' },
    gateway: { ...text, maxLength: 40 },
    dns: { ...list, description: 'Addresses of name servers.' },
    ntp: { ...list, description: 'Names or addresses of time servers.' },
  },
  ['gateway', 'dns', 'ntp'],
)

const schema = documentOf(
  'network',
  exactly({
    isImage: {
      type: 'boolean',
      description: 'Whether the machine runs the image of a box; otherwise its own system sets the network.',
    },
    address: nullable(text),
    gateway: nullable(text),
    dns: list,
    ntp: list,
    trial: nullable(exactly({ id: text, endsAt: { ...text, format: 'date-time' } })),
    last: nullable({
      ...exactly({ id: text, result: { enum: ['kept', 'undone'] } }),
      description: 'How the newest change since the start of the machine has ended.',
    }),
  }),
)

const says = {
  read: {
    id: 'readNetwork',
    summary: 'Read the wired network of the box',
    answers: { 200: { schema } },
    problems: ['unknown-parameter'],
  },
  tryOut: {
    id: 'tryNetwork',
    summary: 'Try a change of the wired network for two minutes',
    notes:
      'The change is undone unless it is confirmed within two minutes at the new address, and also by a power cut. So no change locks you out.',
    body: { schema: settingsSchema, example: { address: '192.168.1.10/24', gateway: '192.168.1.1' } },
    answers: {
      202: { schema: documentOf('network-trial', exactly({ address: text })) },
    },
    problems: ['network-refused'],
    trial: false,
  },
  confirm: {
    id: 'confirmNetwork',
    summary: 'Confirm the change of the network that is on trial',
    notes: 'The request must arrive at the new address of the box.',
    path: { id: { schema: text, notes: 'The id of the trial.' } },
    answers: { 202: { schema } },
    problems: ['network-refused'],
    trial: false,
  },
} satisfies Record<string, Description>
