// Package overlay keeps a wrong solution as what is wrong in it: a file with a header and only those declarations that
// differ from a right solution, its base.
//
//	// Misconception: defer response.Body.Close() stands after every client.Do.
//	// Caught by: TestPassesEventsOnUntilTheServerEndsTheWatch
//	// Message: the belief that the watch is over when Follow returns.
//
//	//go:build wrong
//
//	package follow
//
//	func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
//		...
//	}
//
// [Merge] puts the declarations in their places in the base, which gives the whole program; [Cut] takes a whole program
// apart again. A declaration is known by its name, a method by its receiver's type and its name ("Watch.run"). A const,
// var or type group is one declaration, repeated whole. Comments in, above and at the end of a declaration belong to
// it; loose ones are dropped.
//
// Nothing is ever built with the tag wrong: it keeps overlays, which are no programs, out of every build.
package overlay
