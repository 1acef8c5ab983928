import { useEffect, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { getList, type Resource, send } from '../../lib/server/api.ts'
import { confirmed } from '../../lib/server/session.ts'
import { useSaving } from '../apply.ts'
import { t } from './texts.ts'

const path = '/api/config/v1/kiosk-images'

interface Image {
  use: string
  file: string
  revision: number
}

/** A picture of the house, which is stored as soon as its file is chosen. */
export function KioskImage({ use, label }: { use: 'logo' | 'picture'; label: string }): View {
  const [shown, setShown] = useState<Resource<Image> | null>(null)
  const saving = useSaving()
  const read = async () => {
    const { data } = await getList<Image>(`${path}?filter[use]=${use}`)
    setShown(data[0] ?? null)
  }
  useEffect(() => saving.run(read), [])
  const store = (file: File) =>
    saving.run(
      async () => {
        const content = await base64Of(file)
        await confirmed(() =>
          shown === null
            ? send('POST', path, { body: { use, content }, timeoutMs: 60_000 })
            : send('PATCH', `${path}/${shown.id}`, {
                body: { content },
                timeoutMs: 60_000,
                ...revisionOf(shown),
              }),
        )
      },
      () => void read().catch(() => {}),
    )
  const remove = (image: Resource<Image>) =>
    saving.run(
      () => confirmed(() => send('DELETE', `${path}/${image.id}`, revisionOf(image))),
      () => setShown(null),
    )
  return el.div(
    { class: 'stack' },
    el.label(
      { class: 'field' },
      label,
      el.input({
        type: 'file',
        accept: 'image/png,image/jpeg,image/webp',
        onChange: ({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) store(file)
        },
      }),
    ),
    shown && el.img({ class: 'kiosk-image', src: `/kiosk-images/${shown.attributes.file}`, alt: label }),
    shown &&
      button(t.value.kiosk.remove(label), {
        onClick: () => remove(shown),
        icon: 'cross',
        isBusy: saving.isBusy,
      }),
    saving.problem && failure(saving.problem),
  )
}

const revisionOf = ({ attributes: { revision } }: Resource<Image>) => ({ ifMatch: `"${revision}"` })

function base64Of(file: File): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => fail(reader.error)
    reader.readAsDataURL(file)
  })
}
