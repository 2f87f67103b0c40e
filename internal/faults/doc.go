// Package faults is a reverse proxy that stands between a client and the API server and makes the
// connection fail on cue: it cuts streams in the middle of an event, stalls them, answers 410, 429,
// 500 and 503 itself, truncates, delays, drops bookmarks, closes watches, and goes away.
//
// A script names faults by ordinals, never by time: "the third request, before its second event".
// Ordinals count the GET requests that come through the proxy, and the events of one response
// (bookmarks are not counted, because the server decides when to send them). A program that writes
// while a client watches through the proxy calls [Proxy.Quiet] after each write: it returns when the
// write has come through, every fault it set off is over, and a watch is open again. Then the same
// script gives the same requests, the same faults and the same answers each time.
//
//	script, err := faults.Parse("2.3 cut; 3 unavailable; 4.1 expired")
//	proxy := faults.New(server, transport, script)
//	defer proxy.Close()
//	client := proxy.Client() // an *http.Client whose every request passes the proxy
//
// Nothing listens on a port: the client reaches the proxy through a pipe in memory, because the
// proxy adds the run's credentials to each request, and a port would hand them to every user of the
// machine. Package faultserver puts it on a port for a program of the reader's own, behind a token.
// Watch streams are JSON, one event a line; those in protobuf and CBOR pass as they come, without faults inside.
package faults
