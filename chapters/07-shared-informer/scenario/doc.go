// Package scenario is what stands around this chapter's informer in its demo and in mine: a world of ConfigMaps with
// somebody who writes them, handlers that can be stuck, and a board that lines up what each of them knows.
//
// Reading order: world.go, handler.go, board.go, writer.go, connect.go.
package scenario
