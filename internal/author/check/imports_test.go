package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

func TestImports(t *testing.T) {
	builds := map[string]string{"03-c": "01 watch"}
	const a = repo.Module + "/chapters/01-a/watch"
	for _, test := range []struct{ file, imported, want string }{
		{"chapters/03-c/main.go", a, ""},
		{"chapters/03-c/main.go", "fmt", ""},
		{"chapters/03-c/main.go", repo.Module + "/chapters/03-c/x", ""},
		{"chapters/03-c/main.go", repo.Module + "/internal/lab", ""},
		{"chapters/02-b/x/x_test.go", a, "the lesson's header does not say so"},
		{"chapters/01-a/main.go", repo.Module + "/chapters/03-c/x", "the later chapter"},
		{"chapters/03-c/main.go", repo.Module + "/chapters/01-a", "is no mechanism"},
		{"chapters/03-c/main.go", repo.Module + "/chapters/01-a/exercises/1-x", "is no mechanism"},
		{"chapters/03-c/mine/main.go", repo.Module + "/chapters/01-a/exercises/1-x", ""},
		{"chapters/03-c/mine/mine_test.go", repo.Module + "/chapters/02-b/exercises/1-x", ""},
		{"chapters/03-c/mine/pieces/pieces.go", repo.Module + "/chapters/03-c/exercises/1-x", ""},
		{"chapters/03-c/mine/main.go", repo.Module + "/chapters/04-d/exercises/1-x", "the later chapter"},
		{"chapters/03-c/mine/main.go", repo.Module + "/chapters/01-a/exercises/1-x/scene", "is no mechanism"},
		{"chapters/03-c/mine/main.go", repo.Module + "/chapters/02-b/queue", "the lesson's header does not say so"},
		{"chapters/03-c/mine/main.go", repo.Module + "/solutions/01-a/1-x", "imports a solution"},
		{"chapters/03-c/mine.go", repo.Module + "/chapters/01-a/exercises/1-x", "is no mechanism"},
		{"chapters/03-c/x/mine/x.go", repo.Module + "/chapters/01-a/exercises/1-x", "is no mechanism"},
		{"chapters/03-c/exercises/mine/exercise.go", repo.Module + "/chapters/01-a/exercises/1-x",
			"an exercise of 03-c"},
		{"chapters/03-c/exercises/1-x/exercise.go", a, "an exercise of 03-c imports chapter 01-a"},
		{"chapters/03-c/exercises/1-x/exercise.go", repo.Module + "/chapters/03-c/x", ""},
		{"solutions/03-c/1-x/wrong/y.go", a, "an exercise of 03-c imports chapter 01-a"},
		{"internal/lab/lab.go", a, "from outside the chapters"},
		{"scripts/bookserver/main.go", repo.Module + "/chapters/03-watch-server/apiserver", ""},
		{"scripts/bookserver/main.go", repo.Module + "/chapters/03-watch-server/apiserver/storage", ""},
		{"scripts/bookserver/main.go", a, "from outside the chapters"},
		{"scripts/cluster/main.go", repo.Module + "/chapters/03-watch-server/apiserver", "from outside the chapters"},
		{"chapters/04-d/x/x_test.go", repo.Module + "/chapters/02-b/queue/queuetest", ""},
		{"chapters/04-d/x/x.go", repo.Module + "/chapters/02-b/queue/queuetest", "the lesson's header does not say so"},
		{"chapters/04-d/x/x_test.go", repo.Module + "/chapters/02-b/queue/storetest",
			"the lesson's header does not say so"},
		{"chapters/04-d/x/x_test.go", repo.Module + "/chapters/02-b/queue/queuetest/scripts", ""},
		{"chapters/04-d/x/x_test.go", repo.Module + "/chapters/02-b/queue/scripts/queuetest",
			"the lesson's header does not say so"},
		{"chapters/04-d/x/xtest/suite.go", repo.Module + "/chapters/02-b/queue/queuetest", ""},
		{"chapters/04-d/x/xtest/world/world.go", repo.Module + "/chapters/03-watch-server/apiserver", ""},
		{"chapters/04-d/x/xtest/world/world.go", repo.Module + "/chapters/02-b/queue",
			"the lesson's header does not say so"},
		{"chapters/04-d/x/world/world.go", repo.Module + "/chapters/03-watch-server/apiserver",
			"the lesson's header does not say so"},
		{"chapters/04-d/x/x_test.go", repo.Module + "/chapters/03-watch-server/apiserver", ""},
		{"chapters/04-d/x/x_test.go", repo.Module + "/chapters/03-watch-server/apiserver/storage", ""},
		{"chapters/04-d/x/x.go", repo.Module + "/chapters/03-watch-server/apiserver",
			"the lesson's header does not say so"},
		{"chapters/01-a/main.go", repo.Module + "/solutions/01-a/1-x", "imports a solution"},
	} {
		what, mend := forbidden(test.file, test.imported, builds)
		if test.want == "" {
			require.Empty(t, what, test.file)
			continue
		}
		require.Contains(t, what, test.want, test.file)
		require.NotEmpty(t, mend)
	}
}

func TestImportsReadsFiles(t *testing.T) {
	expect(t, importsCheck, "-- chapters/01-a/README.md --\n# 01 A\n\n"+
		"Builds on: nothing. Reading: 1 minutes. Running: 1 minutes.\n"+
		"-- chapters/02-b/README.md --\n# 02 B\n\nBuilds on: 01 watch. Reading: 1 minutes. Running: 1 minutes.\n"+
		"-- chapters/01-a/x/x.go --\npackage x\n\nimport _ \""+repo.Module+"/chapters/02-b/y\"\n"+
		"-- chapters/02-b/y/y.go --\npackage y\n\nimport _ \""+repo.Module+"/chapters/01-a/x\"\n",
		"chapters/01-a/x/x.go:3: chapter 01-a imports the later chapter 02-b")
}

func TestImportsDemoStaysSmall(t *testing.T) {
	expect(t, importsCheck, "-- go.mod --\nmodule "+repo.Module+"\n\ngo 1.26\n\nrequire example.com/big v0.0.0\n\n"+
		"replace example.com/big => ./big\n"+
		"-- chapters/01-raw-watch/main.go --\npackage main\n\nimport _ \"example.com/big\"\n\nfunc main() {}\n"+
		"-- big/big.go --\npackage big\n-- big/go.mod --\nmodule example.com/big\n",
		"chapters/01-raw-watch: links example.com/big")
}

func TestWhatASmallProgramMayLink(t *testing.T) {
	for _, c := range []struct {
		dir, dep string
		want     bool
	}{
		{"internal/lab", "sigs.k8s.io/yaml", true},
		{"internal/lab", repo.Module + "/internal/term", true},
		{"internal/lab", "k8s.io/apimachinery/pkg/labels", false},
		{"scripts/bookserver", "k8s.io/apimachinery/pkg/labels", true},
		{"scripts/bookserver", "k8s.io/client-go/rest", false},
		{"scripts/bookserver", "k8s.io/apiserver/pkg/server", false},
	} {
		require.Equal(t, c.want, mayLink(c.dir, c.dep), "%s, %s", c.dir, c.dep)
	}
}
