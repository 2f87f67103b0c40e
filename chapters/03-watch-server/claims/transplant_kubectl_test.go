package claims

import (
	"bufio"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

const replacement = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"colour"},"data":{"value":"green"}}`

// TestKubectl types the same commands at both servers and reads the same answers.
func TestKubectl(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		for _, step := range []struct {
			stdin, args, want string
		}{
			{"", "create configmap colour --from-literal=value=red", "configmap/colour created"},
			{"", "get cm colour -o jsonpath={.data.value}", "red"},
			{"", "get configmaps -o name", "configmap/colour"},
			{replacement, "replace -f -", "configmap/colour replaced"},
			{"", "get cm colour -o jsonpath={.data.value}", "green"},
			{"", "label cm colour tier=web", "configmap/colour labeled"},
			{"", "annotate cm colour why=because", "configmap/colour annotated"},
			{"", "get cm -l tier=web -o name", "configmap/colour"},
			{"", "get cm -l tier!=web,own=1 -o name", ""},
			{"", "label cm colour tier-", "configmap/colour unlabeled"},
			{"", `patch cm colour --type=merge -p {"data":{"value":null,"size":"9"}}`, "configmap/colour patched"},
			{"", "get cm colour -o jsonpath={.data}", `{"size":"9"}`},
			{strings.Replace(replacement, "colour", "shape", 1), "create -f -", "configmap/shape created"},
			{"", "get cm shape --ignore-not-found -o name", "configmap/shape"},
			{"", "delete cm colour shape --wait=true", "configmap \"colour\" deleted"},
			{"", "get cm colour -o name", `configmaps "colour" not found`},
		} {
			out, _ := s.kubectl(t, step.stdin, strings.Fields(step.args)...)
			require.Contains(t, out, step.want, "kubectl %s", step.args)
		}
	})
}

// TestKubectlWatch follows objects with get -w, as kubectl does it: a list, then a watch from its
// version. (With a name, kubectl would GET the object, watch from version 0 and keep the first event
// to itself; what changes in between, it does not print.)
func TestKubectlWatch(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		command := s.runner().Start("get", "cm", "--field-selector", "metadata.name=colour", "-w",
			"--output-watch-events",
			"-o", "jsonpath={.type}/{.object.data.value}{'\\n'}")
		_, err := s.kubectl(t, "", "create", "configmap", "colour", "--from-literal=value=red")
		require.NoError(t, err)
		stdout, err := command.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		defer func() { _ = command.Wait() }()
		defer func() { _ = command.Process.Kill() }()
		lines := bufio.NewScanner(stdout)
		expect := func(want string) {
			t.Helper()
			require.True(t, lines.Scan(), "kubectl get -w ended while %q was to come", want)
			require.Equal(t, want, lines.Text())
		}
		expect("ADDED/red")
		out, err := s.kubectl(t, replacement, "replace", "-f", "-")
		require.NoError(t, err, out)
		expect("MODIFIED/green")
		out, err = s.kubectl(t, "", "delete", "cm", "colour")
		require.NoError(t, err, out)
		expect("DELETED/green")
	})
}

// TestKubectlApplyIsRefused tells what to use in its place, for a new object and for an old one,
// for both kinds of apply. The real server takes all of them.
func TestKubectlApplyIsRefused(t *testing.T) {
	s := ours(t, storage.Options{})
	for _, exists := range []bool{false, true} {
		for _, args := range []string{"apply -f -", "apply --server-side -f -"} {
			out, err := s.kubectl(t, replacement, strings.Fields(args)...)
			require.Error(t, err, "kubectl %s", args)
			assert.Contains(t, out, "this server has no kubectl apply; use kubectl create")
			t.Logf("kubectl %s (exists: %v):\n%s", args, exists, out)
		}
		_, _ = s.kubectl(t, replacement, "create", "-f", "-")
	}
	out, err := s.kubectl(t, "", "patch", "cm", "colour", "-p", `{"data":{"a":"b"}}`)
	require.Error(t, err)
	assert.Contains(t, out, "kubectl patch --type=merge")
	t.Log(out)
}

// TestKubectlDeletesByName: what kubectl does with --all or a selector is a list, and a DELETE for each name.
func TestKubectlDeletesByName(t *testing.T) {
	s := ours(t, storage.Options{})
	for _, args := range []string{"delete cm --all", "delete cm -l tier=web"} {
		for _, name := range []string{"a", "b"} {
			code, _ := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"`+name+`","labels":{"tier":"web"}}}`)
			require.Equal(t, 201, code)
		}
		before := len(s.requests())
		out, err := s.kubectl(t, "", strings.Fields(args)...)
		require.NoError(t, err, out)
		var deleted []string
		for _, r := range s.requests()[before:] {
			if r.Method == "DELETE" {
				deleted = append(deleted, path.Base(r.URL.Path))
			}
		}
		assert.ElementsMatch(t, []string{"a", "b"}, deleted, "kubectl %s", args)
	}
}
