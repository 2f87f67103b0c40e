package claims

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// TestRevisionsAreWrites: a resourceVersion is the number of a write, in one sequence for all
// objects. Were it a digest of the content, the two twins would have the same, and red would have
// its old one back.
//
// covers: B-23 S0-15
func TestRevisionsAreWrites(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		last := uint64(0)
		grows := func(o map[string]any, what string) {
			t.Helper()
			require.Greater(t, version(t, o), last, what)
			last = version(t, o)
		}
		for _, name := range []string{"twin", "other-twin"} {
			_, o := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"`+name+`"},"data":{"v":"red"}}`)
			grows(o, "two objects with the same content, two writes, two revisions")
		}
		for _, v := range []string{"green", "red", "green", "red"} {
			_, o := s.ask(t, "PUT", s.collection()+"/twin", `{"metadata":{"name":"twin"},"data":{"v":"`+v+`"}}`)
			grows(o, "the content comes back, the revision does not")
		}
		_, o := s.ask(t, "PUT", s.collection()+"/twin", `{"metadata":{"name":"twin"},"data":{"v":"red"}}`)
		assert.Equal(t, last, version(t, o), "an update that changes nothing is no write")
		code, _ := s.ask(t, "PUT", s.collection()+"/twin",
			fmt.Sprintf(`{"metadata":{"name":"twin","resourceVersion":"%d"},"data":{"v":"blue"}}`, last-1))
		assert.Equal(t, 409, code)
	})
}

// TestNoOpSendsNoEvent: after an update that changes nothing, the next event of a watch is that of
// the next update that does.
//
// covers: C-36
func TestNoOpSendsNoEvent(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		_, made := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"a"},"data":{"v":"1"}}`)
		for _, v := range []string{"1", "1", "2"} {
			code, _ := s.ask(t, "PUT", s.collection()+"/a", `{"metadata":{"name":"a"},"data":{"v":"`+v+`"}}`)
			require.Equal(t, 200, code)
		}
		s.events(t, fmt.Sprintf("%s?fieldSelector=metadata.name%%3Da&resourceVersion=%d", s.collection(),
			version(t, made)), func(line []byte) bool {
			assert.Contains(t, string(line), `"MODIFIED"`)
			assert.Contains(t, string(line), `"v":"2"`, "the first event after three updates is that of the third")
			return false
		})
	})
}

// TestDeletingACollectionIsManyWrites: each object has a deletion with a number of its own. One that does not meet a
// precondition ends the request with a 409, and what went before it stays deleted.
//
// covers: C-54
func TestDeletingACollectionIsManyWrites(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		var first map[string]any
		for _, name := range []string{"a", "b", "c"} {
			code, made := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"`+name+`","labels":{"of":"tea"}}}`)
			require.Equal(t, 201, code)
			if first == nil {
				first = made
			}
		}
		asked := s.collection() + "?labelSelector=of%3Dtea"
		uid := first["metadata"].(map[string]any)["uid"]
		code, answer := s.ask(t, "DELETE", asked, fmt.Sprintf(`{"preconditions":{"uid":%q}}`, uid))
		assert.Equal(t, 409, code, "b has another uid")
		assert.Equal(t, "b", answer["details"].(map[string]any)["name"])
		code, answer = s.ask(t, "DELETE", asked, "")
		assert.Equal(t, 200, code)
		assert.Equal(t, "ConfigMapList", answer["kind"])
		assert.Len(t, answer["items"], 2, "a had gone before the 409")

		last, left := version(t, first), []string{"a", "b", "c"}
		s.events(t, fmt.Sprintf("%s&resourceVersion=%d", asked, last), func(line []byte) bool {
			var event struct {
				Type   string
				Object map[string]any
			}
			require.NoError(t, json.Unmarshal(line, &event))
			require.Greater(t, version(t, event.Object), last, "no two have one number")
			last = version(t, event.Object)
			if event.Type == "DELETED" {
				require.Equal(t, left[0], event.Object["metadata"].(map[string]any)["name"])
				left = left[1:]
			}
			return len(left) > 0
		})
	})
}

// TestExpiredWithoutCompaction: 410 Gone is the window's answer. A resource that has just begun to
// be served refuses a revision from before, in milliseconds and inside a 200; nothing was compacted,
// for the real server still lists that very revision from etcd.
//
// covers: B-17 C-21
func TestExpiredWithoutCompaction(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		_, list := s.ask(t, "GET", s.collection(), "")
		before := version(t, list)
		_, _ = s.ask(t, "POST", s.collection(), `{"metadata":{"name":"a"}}`)
		things, _ := s.install(t)
		s.events(t, fmt.Sprintf("%s?resourceVersion=%d", things, before), func(line []byte) bool {
			var event struct {
				Type   string
				Object struct {
					Code            int
					Reason, Message string
				}
			}
			require.NoError(t, json.Unmarshal(line, &event))
			assert.Equal(t, "ERROR", event.Type)
			assert.Equal(t, 410, event.Object.Code)
			assert.Equal(t, "Expired", event.Object.Reason)
			assert.Contains(t, event.Object.Message, fmt.Sprintf("too old resource version: %d", before))
			return false
		})
		if s.store == nil {
			code, exact := s.ask(t, "GET", fmt.Sprintf("%s?resourceVersionMatch=Exact&resourceVersion=%d",
				things, before), "")
			assert.Equal(t, 200, code, "etcd still has the revision: %v", exact)
		}
	})
}

// TestCreateByUpdateIsACreate: where a PUT may create (a Lease), uid and creationTimestamp are the
// server's, as with POST.
//
// covers: C-51
func TestCreateByUpdateIsACreate(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	s := upstream(t)
	url := s.url + "/apis/coordination.k8s.io/v1/namespaces/" + s.namespace + "/leases/a"
	body := `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","creationTimestamp":"2001-01-01T00:00:00Z"},"spec":{}}`
	code, o := s.ask(t, "PUT", url, body)
	require.Equal(t, 201, code, "%v", o)
	metadata := o["metadata"].(map[string]any)
	assert.NotEqual(t, "2001-01-01T00:00:00Z", metadata["creationTimestamp"])
	assert.NotEmpty(t, metadata["uid"])
	code, _ = s.ask(t, "PATCH", url[:len(url)-1]+"b?fieldManager=test", strings.Replace(body, `"a"`, `"b"`, 1),
		"Content-Type: application/apply-patch+yaml")
	require.Equal(t, 201, code)
	_, o = s.ask(t, "GET", url[:len(url)-1]+"b", "")
	assert.NotEqual(t, "2001-01-01T00:00:00Z", o["metadata"].(map[string]any)["creationTimestamp"])
}

// TestRemovedFeatureGate: a flag of older texts stops the server before it starts.
//
// covers: B-114
func TestRemovedFeatureGate(t *testing.T) {
	testkit.Needs(t, testkit.RestartServer, testkit.MinorVersion)
	dir, err := build.Ensure(t.Context(), term.Quiet(), plane.KubeAPIServer)
	require.NoError(t, err)
	for _, gate := range []string{"ConsistentListFromCache", "BtreeWatchCache"} {
		out, err := runToEnd(t, filepath.Join(dir, "kube-apiserver"), "--feature-gates="+gate+"=false")
		require.Error(t, err)
		assert.Contains(t, out, "unrecognized feature gate: "+gate)
	}
	out, _ := runToEnd(t, filepath.Join(dir, "kube-apiserver"), "--feature-gates=WatchList=false")
	assert.NotContains(t, out, "unrecognized feature gate", "this one can still be switched")
}

// TestServerKnowsNoKinds: with nothing installed there is nothing; a kind that nobody has heard of
// works with kubectl as soon as it is.
//
// covers: S0-06
func TestServerKnowsNoKinds(t *testing.T) {
	s := ours(t, storage.Options{}, apiserver.Resource{Group: "museum.example.com", Version: "v1", Plural: "relics",
		Kind: "Relic", ShortNames: []string{"rl"}})
	code, _ := s.ask(t, "GET", s.collection(), "")
	assert.Equal(t, 404, code, "ConfigMaps are not built in")
	relic := `{"apiVersion":"museum.example.com/v1","kind":"Relic","metadata":{"name":"shard"},"spec":{"age":3000}}`
	out, err := s.kubectl(t, relic, "create", "-f", "-")
	require.NoError(t, err, out)
	assert.Contains(t, out, "relic.museum.example.com/shard created")
	out, err = s.kubectl(t, "", "get", "rl", "shard", "-o", "jsonpath={.spec.age}")
	require.NoError(t, err, out)
	assert.Equal(t, "3000", out)
}

// TestMemoryForgets: the store lives as long as its process. A client that comes back with a
// revision of the one before is told so.
//
// covers: S0-07
func TestMemoryForgets(t *testing.T) {
	s := ours(t, storage.Options{})
	for i := range 5 {
		s.ask(t, "POST", s.collection(), fmt.Sprintf(`{"metadata":{"name":"a%d"}}`, i))
	}
	_, list := s.ask(t, "GET", s.collection(), "")
	require.Len(t, list["items"], 5)
	seen := version(t, list)

	again := ours(t, storage.Options{})
	_, list = again.ask(t, "GET", again.collection(), "")
	assert.Empty(t, list["items"])
	again.events(t, fmt.Sprintf("%s?resourceVersion=%d", again.collection(), seen), func(line []byte) bool {
		assert.Contains(t, string(line), fmt.Sprintf("Too large resource version: %d, current: 1", seen))
		return false
	})
}

// TestUpdateWithoutVersion: whether a PUT has to say what it was made from, is for each kind to
// decide. A ConfigMap's need not; that of a custom resource is refused, but not by ours.
func TestUpdateWithoutVersion(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		put := func(collection, object string) (int, map[string]any) {
			code, made := s.ask(t, "POST", collection, object)
			require.Equal(t, 201, code, "%v", made)
			return s.ask(t, "PUT", collection+"/a", object)
		}
		code, answer := put(s.collection(), `{"metadata":{"name":"a"}}`)
		assert.Equal(t, 200, code, "%v", answer)
		things, apiVersion := s.install(t)
		code, answer = put(things, fmt.Sprintf(`{"apiVersion":%q,"kind":"Thing","metadata":{"name":"a"}}`, apiVersion))
		if s.server != nil {
			assert.Equal(t, 200, code, "%v", answer)
			return
		}
		assert.Equal(t, 422, code, "%v", answer)
		assert.Contains(t, answer["message"],
			"metadata.resourceVersion: Invalid value: 0: must be specified for an update")
	})
}

// runToEnd runs a program that is expected to end by itself, soon. It is stopped after ten seconds.
func runToEnd(t testing.TB, program string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = t.TempDir()
	out, err := command.CombinedOutput()
	return string(out), err
}
