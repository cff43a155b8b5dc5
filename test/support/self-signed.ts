// A self-signed certificate for 127.0.0.1, made by openssl; its files are removed on dispose.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For `using`. */
export function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), 'rxpi-tls-'))
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', keyFile, '-out', file], { stdio: 'pipe' })
  return {
    file,
    key: readFileSync(keyFile),
    cert: readFileSync(file),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
