// Package upstreamtests runs client-go's own tests on the mechanisms of chapters 04 to 08.
//
// Upstream's tests are functions of upstream's packages: they name its types, and some look at unexported fields. So
// another package is made for each of three builds, out of four things:
//
//   - shims, ours: under the names that the tests use, types and functions that lead to a chapter's mechanism;
//   - upstream's test functions and their helpers, and what else of upstream's source calls what is replaced, compiled
//     anew so that it calls the shims (choose.go);
//   - aliases of everything else that upstream exports, so that the types are the same that the chapters use;
//   - a file in the package of a mechanism, where a test asks for what the mechanism keeps to itself.
//
// Nothing of it is written into the repository, nor is anything of upstream's stored in it: the go command reads the
// files through -overlay, and upstream's tests come from the module cache, at the version that go.mod pins. Each test
// runs in a process of its own, so that a panic, a deadlock or a goroutine that is left behind is that test's alone.
//
// scripts/upstream-tests/tests.txt says of each test what it is to us (list.go), docs/upstream.md says it to a reader
// (page.go), and a run says whether it is true (score.go).
//
// Reading order: list.go, builds.go; source.go, choose.go, emit.go, generate.go; compile.go, run.go, score.go; page.go,
// wrong.go.
package upstreamtests
