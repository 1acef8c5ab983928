import { type Found, readStay } from '../box.ts'
import { Stop, unregistered } from '../failures.ts'
import { Entry } from '../keyboard/keyboard.ts'
import { decision, page } from '../page.ts'
import { patiently } from '../patiently.ts'
import { shortName } from '../short-name.ts'
import { t } from '../texts.ts'
import type { Visit } from '../visit.ts'

const toDesk = () => new Stop('toRegister', {}, unregistered)

/**
 * Asks the guests what the house registers and does not know yet, and then goes on. Throws a Stop where only the front desk can register
 * them, and where the script of the questions cannot be loaded.
 */
export async function register(visit: Visit, found: Found, goOn: () => void | Promise<void>): Promise<void> {
  visit.doing = 'registration'
  const script = await import('./registration.ts').catch(() => null)
  if (!script) throw toDesk()
  const draw = await script.registration({
    visit,
    found,
    goOn,
    tools: {
      patiently: (ask) => patiently(visit, ask),
      needsDesk: toDesk,
      readStay,
      shortName,
      Entry,
      page,
      decision,
      texts: t,
    },
  })
  if (draw) visit.show({ name: 'registration', found, draw })
  else await goOn()
}
