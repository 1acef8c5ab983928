import type { SupportTexts } from '../support-texts.ts'

export const pt: SupportTexts = {
  file: 'Ficheiro de apoio',
  fileWhy:
    'Estado, definições e registo sem hóspedes nem segredos, para quem ajuda à distância. Leia-o aqui antes de o guardar e enviar.',
  show: 'Mostrar o conteúdo',
  contents: (parts) => `Linhas do ficheiro: ${parts}.`,
  save: 'Guardar',
  console: 'Consola de suporte',
  consoleWhy:
    'Durante uma hora, quem tiver um teclado na caixa lê o seu diário no segundo ecrã (Alt+F2). Não mostra dados do hotel e não muda nada. Nunca é acessível pela rede.',
  notAnImage: 'Esta máquina não usa a imagem de uma caixa, por isso não tem consola de suporte.',
  open: 'Abrir durante uma hora',
  close: 'Fechar agora',
  isOpen: (time) => `A consola de suporte está aberta até às ${time}.`,
}
