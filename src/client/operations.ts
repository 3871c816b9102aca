/** Where each operation of the API is: what a client has to know of it, and all that it loads. */
import type { API_ROUTES } from '../transports/http/api/index.ts';

type ApiRoute = (typeof API_ROUTES)[number];
export type OperationName = ApiRoute['name'];
export type RouteOf<Name extends OperationName> = Extract<ApiRoute, { readonly name: Name }>;

export const OPERATIONS = {
  listTools: ['get', '/api/tools'],
} as const satisfies {
  readonly [Name in OperationName]: readonly [RouteOf<Name>['method'], `/api/${string}`];
};
