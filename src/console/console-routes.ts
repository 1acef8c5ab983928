import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataFiles } from '../host/files/data-files.ts'
import type { Description } from '../jsonapi/description.ts'
import type { Answer, Request, Route } from '../jsonapi/route.ts'
import { tagged } from '../openapi/openapi-routes.ts'
import { keepFiles } from './kept-files.ts'
import { pageHtml } from './page-html.ts'
import { builtBeside, pageSets, uiFile } from './ui-files.ts'

/**
 * Returns the routes of the pages for front desk, kiosk and set-up, and of their scripts, styles and images. `data` is the data
 * folder, which keeps those of the release before; `entry` is the program.
 */
export function consoleRoutes(data: string, entry: URL): Route[] {
  const built = builtBeside(entry)
  let kept: readonly URL[] | undefined
  const folders = () => {
    if (!built) return []
    kept ??= [built, ...keepFiles(fileURLToPath(built), join(data, dataFiles.pages))]
    return kept
  }
  const file = (request: Request) => fileAnswer(request, folders())
  const open = { method: 'GET', base: '', scope: null, quota: 'file' } as const
  return [
    ...pageSets.map((pages) => ({
      ...open,
      path: pages,
      handle: () => {
        const { text, headers } = pageHtml(pages, built)
        return tagged(text, 'text/html; charset=utf-8', headers)
      },
      description: says[pages],
    })),
    { ...open, path: 'ui/:file', handle: file, description: says.file },
    { ...open, path: 'ui/:folder/:file', handle: file, description: says.fileInFolder },
    { ...open, path: 'ui/:folder/:inner/:file', handle: file, description: says.fileInInner },
    { ...open, path: 'ui/:folder/:inner/:innermost/:file', handle: file, description: says.fileInInnermost },
  ]
}

async function fileAnswer({ params, header }: Request, folders: readonly URL[]): Promise<Answer> {
  const path = [params.folder, params.inner, params.innermost, params.file]
    .filter((each) => each !== undefined)
    .join('/')
  const { body, type, encoding, isImmutable } = await uiFile(path, header('accept-encoding'), folders)
  const headers = {
    ETag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  return { status: 200, bytes: body, type, headers }
}

const page = (type: string) => ({ 200: { schema: { type: 'string' }, type, tagged: true } }) as const
const segment = { schema: { type: 'string' } }
const says = {
  desk: { id: 'openDesk', summary: 'Open the pages of the front desk', answers: page('text/html') },
  kiosk: { id: 'openKiosk', summary: 'Open the pages of the kiosk', answers: page('text/html') },
  setup: { id: 'openSetup', summary: 'Open the pages of the installer', answers: page('text/html') },
  file: {
    id: 'readUiFile',
    summary: 'Read a file of the pages',
    path: { file: segment },
    answers: page('text/*'),
  },
  fileInFolder: {
    id: 'readUiFileInFolder',
    summary: 'Read a file of the pages in a folder',
    path: { folder: segment, file: segment },
    answers: page('text/*'),
  },
  fileInInner: {
    id: 'readUiFileInInnerFolder',
    summary: 'Read a file of the pages in a folder of a folder',
    path: { folder: segment, inner: segment, file: segment },
    answers: page('text/*'),
  },
  fileInInnermost: {
    id: 'readUiFileInInnermostFolder',
    summary: 'Read a file of the pages, three folders deep',
    path: { folder: segment, inner: segment, innermost: segment, file: segment },
    answers: page('text/*'),
  },
} satisfies Record<string, Description>
