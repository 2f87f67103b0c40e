// Package claims shows what chapter 15 says, against the API server and with real processes. Those that are killed here
// were started here.
package claims
