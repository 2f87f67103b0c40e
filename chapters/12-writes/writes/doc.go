// Package writes is each way to change an object: what is sent, and what of it the API server compares with what it
// has. And it saves what a run of a controller has changed, in an order that a crash in the middle does not hurt.
//
// Reading order: merge.go and jsonpatch.go make the two patches that any kind understands. patch.go gives them to a
// client, with a lock or without. ways.go is the list of all ways. owners.go and conflict.go read what server-side
// apply leaves and says. save.go writes status and spec, and base.go is a reconciler that does so after each run.
package writes
