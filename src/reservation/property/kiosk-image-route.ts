import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Answer, Request, Route } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { type KioskImage, kioskImage } from '../resources/kiosk-image.ts'

/** The route of the files of the kiosks' pictures. They need no token: a kiosk shows them to every guest. */
export function kioskImageRoute({ reader }: Store): Route {
  return {
    method: 'GET',
    path: 'kiosk-images/:file',
    base: '',
    scope: null,
    quota: 'file',
    description: {
      id: 'readKioskImageFile',
      summary: 'Read the file of a picture of the kiosks',
      path: { file: { schema: { type: 'string' } } },
      answers: { 200: { schema: { type: 'string' }, type: 'image/*' } },
    },
    handle: ({ params }: Request): Answer => {
      const filters = [{ path: 'file', operator: 'eq' as const, value: params.file ?? '' }]
      const [found] = reader.rows(kioskImage, { filters, sort: [], page: { size: 1 } }) as KioskImage[]
      if (!found) throw new Problem('not-found', 'There is no such picture.')
      return {
        status: 200,
        bytes: Buffer.from(found.content, 'base64'),
        type: found.mediaType!,
        headers: {
          // Another picture has another name.
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Content-Security-Policy': "default-src 'none'",
          'Cross-Origin-Resource-Policy': 'same-origin',
        },
      }
    },
  }
}
