import type { SupportTexts } from '../support-texts.ts'

export const de: SupportTexts = {
  file: 'Hilfsdatei',
  fileWhy:
    'Zustand, Einstellungen und Protokoll ohne Gäste und Geheimnisse, für jemanden, der aus der Ferne hilft. Lesen Sie sie hier, bevor Sie sie speichern und weitergeben.',
  show: 'Inhalt zeigen',
  contents: (parts) => `Zeilen der Datei: ${parts}.`,
  save: 'Speichern',
  console: 'Support-Konsole',
  consoleWhy:
    'Eine Stunde lang liest, wer an der Box eine Tastatur hat, auf dem zweiten Bildschirm (Alt+F2) ihr Journal. Die Konsole zeigt keine Daten des Hotels und ändert nichts. Über das Netz ist sie nie erreichbar.',
  notAnImage: 'Auf dieser Maschine läuft nicht das Image einer Box, also hat sie keine Support-Konsole.',
  open: 'Für eine Stunde öffnen',
  close: 'Jetzt schließen',
  isOpen: (time) => `Die Support-Konsole ist bis ${time} offen.`,
}
