/** The most bytes of bodies that a load keeps at a time. It reads further bodies without keeping them, so no target can fill the memory. */
export const mostKeptBytes = 96 * 1024 * 1024;

/** Each piece adds a cost, so that many tiny pieces cannot fill the memory either. */
export const pieceCostBytes = 128;

/** The bodies of the answers that arrive in a load. */
export type KeptBodies = { readonly begin: () => KeptBody };

export type KeptBody = {
  /** Keeps a copy of a piece, which may be the whole body. */
  readonly add: (piece: Uint8Array, isWhole?: boolean) => void;
  /** Returns the pieces, frees their room and begins the next body; undefined if there was no room for all of them. */
  readonly end: () => readonly Uint8Array[] | undefined;
};

/** What an answer says about its body when it has come. */
export function bodyOf(kept: KeptBody): { readonly body: readonly Uint8Array[]; readonly isUnkept?: true } {
  const pieces = kept.end();
  return pieces === undefined ? { body: [], isUnkept: true } : { body: pieces };
}

export function createKeptBodies(most = mostKeptBytes): KeptBodies {
  let kept = 0;
  return {
    begin() {
      let pieces: Uint8Array[] | undefined = [];
      let own = 0;
      const release = () => {
        kept -= own;
        own = 0;
      };
      return {
        add(piece, isWhole = false) {
          if (pieces === undefined) return;
          const cost = piece.length + pieceCostBytes;
          if (kept + cost > most) {
            pieces = undefined;
            return release();
          }
          kept += cost;
          own += cost;
          pieces.push(copyOf(piece, isWhole));
        },
        end() {
          release();
          const ended = pieces;
          pieces = [];
          return ended;
        },
      };
    },
  };
}

/** A whole body is read at once and then forgotten, so it may share memory with others; a piece might keep theirs for long. */
function copyOf(piece: Uint8Array, isWhole: boolean): Uint8Array {
  const copy = isWhole ? Buffer.allocUnsafe(piece.length) : Buffer.allocUnsafeSlow(piece.length);
  copy.set(piece);
  return copy;
}
