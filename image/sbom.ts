import { createHash } from 'node:crypto'

/** A package in an image: of Debian, or of npm. */
export interface Part {
  from: 'deb' | 'npm'
  name: string
  version: string
  /** As its makers write it; empty where only the file of licences says it. */
  license: string
  /** The architecture of a package of Debian. */
  architecture?: string
}

interface Contents {
  name: string
  version: string
  architecture: string
  /** Unix seconds. */
  madeAt: number
  parts: readonly Part[]
}

/** The list of all parts of an image as a CycloneDX 1.6 document. The same parts give the same document. */
export function sbomOf({ name, version, architecture, madeAt, parts }: Contents): object {
  const components = parts.map((part) => ({
    type: 'library',
    'bom-ref': purlOf(part),
    name: part.name,
    version: part.version,
    purl: purlOf(part),
    ...(part.license && { licenses: [licenseOf(part.license)] }),
  }))
  const digest = createHash('sha256')
    .update(JSON.stringify([name, version, architecture, components]))
    .digest('hex')
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      timestamp: new Date(madeAt * 1_000).toISOString(),
      component: { type: 'firmware', 'bom-ref': name, name, version },
    },
    components,
  }
}

/** A URL of the package, as the vulnerability databases name it. */
export function purlOf({ from, name, version, architecture }: Part): string {
  const path = name.split('/').map(encodeURIComponent).join('/')
  const tail = `${path}@${encodeURIComponent(version)}`
  return from === 'npm' ? `pkg:npm/${tail}` : `pkg:deb/debian/${tail}?arch=${architecture}&distro=trixie`
}

/** One identifier, or an expression of several. */
function licenseOf(license: string): object {
  return /^[A-Za-z0-9.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
}

/** A UUID (version 8) from the first digits of a digest. */
function uuidOf(digest: string): string {
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ]
  return `${a}-${b}-8${c}-8${d}-${e}`
}
