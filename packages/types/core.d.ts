// What an author's code may rely on, whatever its component. `toa types` puts this file beside the application's own types.

declare module '@toa.io/core/types' {
  /** What every stored object has beside its declared properties; written by the runtime. */
  export interface System {
    id: string
    /** 1 after creation, one more with every write; 0 for an associated object that was never written. */
    VERSION: number
    /** Milliseconds since the epoch. */
    CREATED: number
    /** Milliseconds since the epoch. */
    UPDATED: number
    /** When the object was deleted, in milliseconds since the epoch. */
    DELETED: number | null
    REGION: number
  }

  /** What a transition's state has beside the object itself; neither is stored. */
  export interface Transient {
    /** Set it to store nothing and announce nothing: what the function returns is the reply. */
    DISCARD?: boolean
    /** What the events of this change are given beside the object. */
    TRAILERS: Record<string, any>
  }

  /** What a call resolves to where the operation refused. */
  export interface CodedError<Code extends string = string> extends Error {
    code: Code
    cause?: any
  }

  interface Selecting {
    /** RSQL: `stage==open;total>100`. */
    criteria?: string
    /** Words, for a component with a text index. */
    search?: string
    /** `price`, `price:asc` or `price:desc`. */
    sort?: string[]
    /** Also what is marked deleted. */
    deleted?: boolean
  }

  /** Selects one object: by its id, or the first that meets the criteria. */
  export interface Query extends Selecting {
    id?: string
    /** The version that the object must be at. */
    version?: number
  }

  /** Selects one object for reading. */
  export interface ReadingQuery extends Selecting {
    id?: string
    /** The properties to read; `id` always comes along. */
    projection?: string[]
  }

  interface Range extends Selecting {
    /** How many to pass over; needs `sort`. */
    omit?: number
    /** That many of those selected, at random. */
    sample?: number
  }

  /** Selects several objects: those of `ids`, or as many as `limit`. */
  export type ManyQuery = Range & ({ ids: string[], limit?: number } | { ids?: string[], limit: number }) & { version?: never }

  /** Selects several objects for reading. */
  export type ManyReadingQuery = ManyQuery & { projection?: string[] }

  /** Selects a stream of objects: those of `ids`, the first `limit`, or all. */
  export type StreamQuery = Selecting & { id?: string, ids?: string[], limit?: number, version?: never }

  /** Selects a stream of objects for reading. */
  export type ReadingStreamQuery = StreamQuery & { projection?: string[] }

  /** What a stream of objects is made of; `token` ends it, and is null where the storage keeps no history. */
  export type Part<Entity> = { entry: Entity } | { removed: string } | { token: string | null }

  interface Envelope {
    /** The names of the reply's properties to send back. */
    output?: string[]
    /** The identity of the call: the same identity is the same call. */
    id?: string
  }

  /** The request of any operation. */
  export interface Request<Input = unknown> extends Envelope {
    input?: Input
    query?: Query | ReadingQuery | ManyQuery | StreamQuery
    entity?: Record<string, unknown>
    task?: boolean
  }

  type Task<Request> = Request & { task: true }
  type Awaited<Request> = Request & { task?: false }

  /** An operation whose request may not be left out. */
  export interface Call<Request, Output> {
    (request: Task<Request & Envelope>): Promise<null>
    (request: Awaited<Request & Envelope>): Promise<Output>
  }

  /** An operation that needs neither input nor query. */
  export interface OpenCall<Request, Output> {
    (request: Task<Request & Envelope>): Promise<null>
    (request?: Awaited<Request & Envelope>): Promise<Output>
  }

  /** A change, as the functions of an event see it. */
  export interface Event<Entity, Trailers = Record<string, any>, Input = any> {
    /** The object after the change. */
    state: Entity
    /** The object before it; null for a new one. */
    origin: Entity | null
    /** The input of the operation that made the change. */
    input?: Input
    /** What that operation put into TRAILERS. */
    trailers?: Trailers
  }

  /** A configured value that does not show itself. */
  export interface Secret {
    unwrap(): string
  }

  export interface FetchOptions extends RequestInit {
    retry?: {
      /** In all, the first one included. */
      attempts: number
      /** The statuses that end the attempts; 200 to 299 where absent. */
      expected?: number[]
      /** Milliseconds before the second attempt; 100 where absent. */
      delay?: number
      /** What each pause is multiplied by; 2 where absent. */
      factor?: number
    }
  }

  /** A cache that all processes of a component share, with the commands of Redis; it may forget at any time. */
  export interface Stash {
    get(key: string): Promise<string | null>
    /** Options as Redis has them: 'EX', seconds; 'PX', milliseconds; 'NX'; 'XX'. */
    set(key: string, value: string | number, ...options: (string | number)[]): Promise<string | null>
    del(...keys: string[]): Promise<number>
    exists(...keys: string[]): Promise<number>
    incr(key: string): Promise<number>
    decr(key: string): Promise<number>
    incrby(key: string, by: number): Promise<number>
    decrby(key: string, by: number): Promise<number>
    expire(key: string, seconds: number): Promise<number>
    pexpire(key: string, ms: number): Promise<number>
    ttl(key: string): Promise<number>
    pttl(key: string): Promise<number>
    /** Keeps whatever JSON can hold. */
    store(key: string, value: unknown, ...options: (string | number)[]): Promise<string | null>
    /** What `store` kept; null where there is nothing. */
    fetch(key: string): Promise<any>
  }

  /** What an unmanaged operation is given: reads of its component's data in the storage's own language. */
  export interface Client {
    query(sql: string, values?: unknown[]): Promise<Record<string, any>[]>
    all(sql: string, values?: unknown[]): Promise<Record<string, any>[]>
    /** The first row, or null. */
    get(sql: string, values?: unknown[]): Promise<Record<string, any> | null>
  }

  type Log = (message: string, attributes?: Record<string, unknown>) => void

  /** The last argument of every function of an author. */
  export interface BaseContext<Remote = any, Local = any> {
    /** Calls of every component. */
    readonly remote: Remote
    /** Calls of the component's own operations. */
    readonly local: Local
    /** A new id, of an object's form. */
    id(): string
    /** Milliseconds since the epoch. */
    now(): number
    /** At least 0 and below 1. */
    random(): number
    readonly name: string
    readonly env: string
    readonly region: number
    readonly instance: string
    fetch(input: string | URL, options?: FetchOptions): Promise<Response>
    readonly logs: { debug: Log, info: Log, warn: Log, error: Log }
    readonly atom: {
      /** Runs `fn` while no other holder of `key` runs. */
      lock<T>(key: string, fn: () => T | Promise<T>): Promise<T>
    }
  }
}
