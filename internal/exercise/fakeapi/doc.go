// Package fakeapi is a scripted API server for graded tests: net/http on both ends, joined by
// net.Pipe, so that what a client meets is real HTTP/1.1 (chunks, keep-alive, a connection cut
// without its last chunk) and yet nothing leaves the process and all of it runs in a
// testing/synctest bubble, on the bubble's clock.
//
// A script has one [Answer] per request, in the order in which the requests arrive:
//
//	gate := fakeapi.NewGate()
//	srv := fakeapi.New(t,
//		fakeapi.Stream( // 200, chunked
//			fakeapi.Send(fakeapi.Line("ADDED", fakeapi.ConfigMap("default", "a", "5"))),
//			fakeapi.Pause(gate), // until gate.Open()
//			fakeapi.Send(`{"type":"MODIF`),
//			fakeapi.Cut(), // the connection closes; with no Cut or Hang the stream ends cleanly
//		),
//		fakeapi.Status(410, "Expired", "too old resource version: 5 (9)"),
//	)
//	err := follow(ctx, srv.Client(), srv.URL+"/api/v1/configmaps?watch=true")
//
// Afterwards [Server.Requests] tells what was asked and how each conversation ended, and
// [Server.OpenBodies] which responses the client got and never closed.
//
// In a bubble, make the server and the gates inside of it and use synctest.Wait to let things
// settle; outside, [Gate.Reached] waits for the server. A pipe has no
// buffer: a client that stops reading stops the server in the middle of its write.
package fakeapi
