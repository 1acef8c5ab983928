import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startAppliance, type TestOptions } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'

/** The path of the support console. */
export const path = '/api/config/v1/support-console'

/** An appliance whose machine is a box, and root's part: it opens and closes the console as its script does. */
export async function boxOf(t: TestContext, options: TestOptions = {}) {
  const run = folderFor(t)
  const [runtime, root] = [join(run, 'nightporter'), join(run, 'nightporter-box')]
  for (const each of [runtime, root]) mkdirSync(each)
  process.env.RUNTIME_DIRECTORY = runtime
  t.after(() => delete process.env.RUNTIME_DIRECTORY)
  const house = await startAppliance(options)
  t.after(() => house.stop())
  const state = join(root, 'support.json')
  const takes = (action: string) => {
    const asked = join(runtime, `support-${action}`)
    const isAsked = existsSync(asked)
    rmSync(asked, { force: true })
    return isAsked
  }
  let isAnswering = true
  const endsAt = Date.UTC(2026, 5, 1, 17)
  const looking = house.clock.setInterval(() => {
    if (!isAnswering) return
    if (takes('open')) writeFileSync(state, JSON.stringify({ endsAt }))
    if (takes('close')) rmSync(state)
  }, 50)
  t.after(() => looking.cancel())
  return {
    house,
    requested: (action: string) => existsSync(join(runtime, `support-${action}`)),
    expires: () => rmSync(state),
    dies: () => {
      isAnswering = false
    },
    act: (action: string, headers: Record<string, string> = {}) =>
      house.ask('POST', `${path}/actions/${action}`, { headers }),
    endsAt: async () => (await house.ask('GET', path)).body.data.attributes.endsAt,
    events: async () => {
      const { body } = await house.ask(
        'GET',
        '/api/v2/events?filter[type]=system.support-opened,system.support-closed',
      )
      return body.data.map((each: { attributes: { event: { type: string } } }) => each.attributes.event.type)
    },
  }
}
