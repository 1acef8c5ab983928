import { el, type View } from '../../lib/controls/el.ts'
import { icon } from '../../lib/controls/icons.ts'
import { useRead } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { readRegistrationSettings } from '../../registration/settings.ts'
import { t } from './texts.ts'

/** Downloads the guests who checked in on a day, for the authority, in a house that registers its guests. */
export function DayFile({ date }: { date: string }): View | null {
  const isAllowed = may('registrations.read-document')
  const { data } = useRead(isAllowed ? 'registration settings' : null, readRegistrationSettings, [
    'settings.',
  ])
  if (!data?.registrationFields?.length) return null
  const attributes = {
    class: 'button plain',
    href: `/api/v2/registrations/by-arrival/${date}`,
    download: `registrations-${date}.csv`,
  }
  return el.a(attributes, icon('download'), el.span(null, t.value.dayFile))
}
