package claims

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

var update = flag.Bool("update", false, "TestConversation: record the conversation from the API server")

// conversation is what is said to a server. <a> stands for the resourceVersion that object a had
// in the latest answer about it, <a:1> for its first one, and so on.
var conversation = []request{
	{"POST", "", `{"metadata":{"name":"c","labels":{"talk":"2"}}}`, ""},
	{"POST", "", `{"metadata":{"name":"d","labels":{"talk":"2"}}}`, ""},
	{"DELETE", "?labelSelector=talk%3D2", `{"preconditions":{"resourceVersion":"<c>"}}`, ""}, // d has another
	{"DELETE", "?labelSelector=talk%3D%3D%3D1", "", ""},
	{"DELETE", "?labelSelector=talk%3D2", "", ""},
	{"DELETE", "?labelSelector=talk%3D2", "", ""},
	{"POST", "", `{"metadata":{"name":"a","labels":{"talk":"1"}},"data":{"v":"1"}}`, ""},
	{"POST", "", `{"metadata":{"name":"a","labels":{"talk":"1"}}}`, ""},
	{"POST", "", `{"metadata":{"name":"b","labels":{"talk":"1"}}}`, ""},
	{"POST", "", `{"metadata":{"name":"A_"}}`, ""},
	{"GET", "/a", "", ""},
	{"GET", "/none", "", ""},
	{"GET", "?labelSelector=talk%3D1", "", ""},
	{"GET", "?labelSelector=talk%3D1&fieldSelector=metadata.name%3Db", "", ""},
	{"GET", "?labelSelector=talk%3D%3D%3D1", "", ""},
	{"GET", "?fieldSelector=data.v%3D1", "", ""},
	{"GET", "?resourceVersion=999999999", "", ""},
	{"GET", "?resourceVersionMatch=NotOlderThan", "", ""},
	{"GET", "?watch=1&sendInitialEvents=true", "", ""},
	{"PUT", "/a", `{"metadata":{"name":"a","resourceVersion":"<a>","labels":{"talk":"1"}},"data":{"v":"2"}}`, ""},
	{"PUT", "/a", `{"metadata":{"name":"a","resourceVersion":"<a:1>","labels":{"talk":"1"}},"data":{"v":"3"}}`, ""},
	{"PUT", "/a", `{"metadata":{"name":"a","labels":{"talk":"1"}},"data":{"v":"2"}}`, ""}, // changes nothing
	{"PUT", "/a", `{"metadata":{"name":"a","labels":{"talk":"1"}},"data":{"v":"3"}}`, ""},
	{"PUT", "/a", `{"metadata":{"name":"b"}}`, ""},
	{"PUT", "/a", `{"metadata":{"name":"a","uid":"another"}}`, ""},
	{"PATCH", "/a", `{"metadata":{"uid":"another"}}`, "application/merge-patch+json"},
	{"GET", "/a", "", ""},
	{"PUT", "/none", `{"metadata":{"name":"none","labels":{"talk":"1"}}}`, ""},
	{"PATCH", "/a", `{"metadata":{"labels":{"tier":"web"}}}`, "application/merge-patch+json"},
	{"PATCH", "/a", `{"metadata":{"labels":{"tier":"web"}}}`, "application/merge-patch+json"}, // changes nothing
	{"PATCH", "/a", `{"metadata":{"resourceVersion":"<a:1>"},"data":{"v":"9"}}`, "application/merge-patch+json"},
	{"PATCH", "/none", `{"data":{"v":"9"}}`, "application/merge-patch+json"},
	{"PATCH", "/b", `{"metadata":{"labels":{"talk":null}}}`, "application/merge-patch+json"},
	{"PATCH", "/b", `{"metadata":{"labels":{"talk":"1"}}}`, "application/merge-patch+json"},
	{"DELETE", "/a", `{"preconditions":{"resourceVersion":"<a:1>"}}`, ""},
	{"DELETE", "/a", "", ""},
	{"DELETE", "/a", "", ""},
	{"PUT", "/b", `{"metadata":{"name":"b","labels":{"talk":"1"}},"data":{"v":1}}`, ""},
	{"PATCH", "/b", `{"data":{"v":1}}`, "application/merge-patch+json"},
	{"WATCH", "&labelSelector=talk%3D1&resourceVersion=<a:1>", "", ""},
	{"WATCH", "&labelSelector=talk%3D1&resourceVersion=<a:2>", "", ""},
	{"WATCH", "&labelSelector=tier%3Dweb&resourceVersion=<a:1>", "", ""},
	{"WATCH", "&labelSelector=talk%3D1&fieldSelector=metadata.name%3Da&resourceVersion=<a:1>", "", ""},
	{"WATCH", "&labelSelector=talk%3D1", "", ""},
	{"WATCH", "&labelSelector=talk%3D1&resourceVersion=0", "", ""},
	{"WATCH", "&labelSelector=talk%3D1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", "", ""},
}

type request struct{ method, path, body, contentType string }

// talk holds one conversation, in one encoding, and writes it down in a form that both servers can be held to.
//
// What is normalised, all of it here and in shape:
//   - a resourceVersion is written as "<object>:<n>", the n-th version of that object that was
//     seen: that they grow is checked, by how much is not, as others write to the real server;
//   - that of a list, and of a bookmark, is only checked to be no older than the newest write;
//   - bookmarks other than the end of the initial events are left out, wherever they come;
//   - uid, creationTimestamp and namespace are checked to be there and written as "given";
//   - managedFields are left out: ours keeps none, for it has no apply;
//   - kind and apiVersion of a list's items are left out: the real server leaves them out for
//     built-in kinds;
//   - empty maps are left out: the real server decodes into Go types, which forget them;
//   - of a Status, code, reason and details.name are kept; its message and causes are for people.
type talk struct {
	side     side
	accept   string
	versions map[string][]uint64 // of each object, in the order seen
	newest   uint64
	mu       sync.Mutex
	out      bytes.Buffer
}

var reference = regexp.MustCompile(`<(\w+)(?::(\d+))?>`)

// fill puts the versions seen in place of their references.
func (c *talk) fill(s string) string {
	return reference.ReplaceAllStringFunc(s, func(r string) string {
		m := reference.FindStringSubmatch(r)
		seen := c.versions[m[1]]
		n := len(seen)
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		return strconv.FormatUint(seen[n-1], 10)
	})
}

// say sends one request and returns the shape of the answer.
func (c *talk) say(t testing.TB, r request) string {
	method, url := r.method, c.side.collection()+c.fill(r.path)
	if method == "WATCH" {
		method, url = "GET", c.side.collection()+"?watch=true&timeoutSeconds=1"+c.fill(r.path)
	}
	contentType := r.contentType
	if contentType == "" {
		contentType = "application/json"
	}
	response, body := cluster.Do(t, c.side.http, method, url, c.fill(r.body), "Content-Type: "+contentType,
		"Accept: "+c.accept)
	if c.accept == asProtobuf {
		body = inJSON(t, response.Header.Get("Content-Type"), body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := []string{fmt.Sprint(response.StatusCode)}
	decoder := json.NewDecoder(bytes.NewReader(body))
	for decoder.More() {
		var object map[string]any
		require.NoError(t, decoder.Decode(&object))
		if inner, ok := object["object"].(map[string]any); ok { // an event
			shape := c.shape(t, inner)
			if object["type"] == "BOOKMARK" && !strings.Contains(shape, "initial-events-end") {
				continue
			}
			lines = append(lines, fmt.Sprint(object["type"], " ", shape))
			continue
		}
		lines = append(lines, c.shape(t, object))
	}
	return strings.Join(lines, "\n    ")
}

// shape normalises one object, list or Status.
func (c *talk) shape(t testing.TB, o map[string]any) string {
	metadata, _ := o["metadata"].(map[string]any)
	if o["kind"] == "Status" {
		details, _ := o["details"].(map[string]any)
		return fmt.Sprintf("Status %v, code %v, reason %v, about %v", o["status"], o["code"],
			o["reason"], details["name"])
	}
	if items, ok := o["items"]; ok {
		items, _ := items.([]any) // an empty one is null where Go values are encoded
		require.GreaterOrEqual(t, revision(t, metadata), c.newest, "a list is not older than what was written before")
		lines := []string{fmt.Sprintf("%v, %d items", o["kind"], len(items))}
		for _, item := range items {
			item := item.(map[string]any)
			delete(item, "kind")
			delete(item, "apiVersion")
			lines = append(lines, "  "+c.shape(t, item))
		}
		return strings.Join(lines, "\n    ")
	}
	name, named := metadata["name"].(string)
	if !named {
		require.GreaterOrEqual(t, revision(t, metadata), c.newest,
			"a bookmark is not older than what was written before")
		metadata["resourceVersion"] = "some"
	} else {
		metadata["resourceVersion"] = fmt.Sprint(name, ":", c.version(t, name, revision(t, metadata)))
		for _, field := range []string{"uid", "creationTimestamp", "namespace"} {
			require.NotEmpty(t, metadata[field], field)
			metadata[field] = "given"
		}
	}
	delete(metadata, "managedFields")
	for k, v := range metadata {
		if m, ok := v.(map[string]any); ok && len(m) == 0 {
			delete(metadata, k)
		}
	}
	encoded, err := json.Marshal(o)
	require.NoError(t, err)
	return string(encoded)
}

// version is the number of an object's version. A new one has to be newer than all others seen.
func (c *talk) version(t testing.TB, name string, revision uint64) int {
	for i, seen := range c.versions[name] {
		if seen == revision {
			return i + 1
		}
	}
	require.Greater(t, revision, c.newest, "a write has a higher resourceVersion than all before it, of whatever object")
	c.newest = revision
	c.versions[name] = append(c.versions[name], revision)
	return len(c.versions[name])
}

func revision(t testing.TB, metadata map[string]any) uint64 {
	n, err := strconv.ParseUint(fmt.Sprint(metadata["resourceVersion"]), 10, 64)
	require.NoError(t, err)
	return n
}

// hold holds the whole conversation. The watches at its end run at once: each lasts a second.
func hold(t testing.TB, s side, accept string) string {
	c := &talk{side: s, accept: accept, versions: map[string][]uint64{}}
	answers := make([]string, len(conversation))
	var watches sync.WaitGroup
	first := true
	for i, r := range conversation {
		if r.method == "WATCH" && !first {
			watches.Go(func() { answers[i] = c.say(t, r) })
			continue
		}
		answers[i] = c.say(t, r)
		first = first && r.method != "WATCH" // the first sees all versions, in order
	}
	watches.Wait()
	for i, r := range conversation {
		fmt.Fprintf(&c.out, "%s %s %s %s\n    %s\n", r.method, r.path, r.contentType, r.body, answers[i])
	}
	return c.out.String()
}

// TestConversation holds both servers to the conversation that was recorded from kube-apiserver
// v1.37.1: the same codes, reasons, event types, order and rules about resourceVersions, in JSON
// and in protobuf.
func TestConversation(t *testing.T) {
	const file = "testdata/conversation.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(hold(t, upstream(t), asJSON)), 0o644))
	}
	recorded, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, accept := range []string{asJSON, asProtobuf} {
		t.Run(accept, func(t *testing.T) {
			onBoth(t, func(t *testing.T, s side) {
				said := hold(t, s, accept)
				if diff := cmp.Diff(strings.Split(string(recorded), "\n"), strings.Split(said, "\n")); diff != "" {
					t.Errorf("%s answers otherwise than recorded (-recorded +%s):\n%s", s.name, s.name, diff)
				}
			})
		})
	}
}
