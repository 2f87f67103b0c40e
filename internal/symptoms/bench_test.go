package symptoms_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// logs are what a search is measured with.
var logs = map[string]string{
	"klog": `I1124 00:01:02.123456       1 httplog.go:134] "HTTP" verb="WATCH" URI="/api/v1/pods?watch=true" ` +
		`latency="1.2ms" userAgent="kubectl/v1.37.1" srcIP="127.0.0.1:4242" resp=200` + "\n",
	"JSON": `{"level":"info","ts":"2025-05-03T12:54:22Z","msg":"reconciled","controller":"gate","namespace":"field",` +
		`"name":"north","reconcileID":"08b82213"}` + "\n",
	"conflicts": `{"level":"error","ts":"2025-05-03T12:54:22Z","msg":"Reconciler error","error":"Operation cannot be ` +
		`fulfilled on pods \"web\": the object has been modified; please apply your changes to the latest version and ` +
		`try again"}` + "\n",
	"stacks": "E1124 00:01:02.1 1 a.go:1] boom\ngoroutine 12 [running]:\nmain.f(0x1, 0x2)\n\t/src/main.go:12 +0x3c\n" +
		"sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).Reconcile(...)\n\t/go/controller.go:114\n",
	"text": "2025/11/02 10:00:00 main.go:12: something has happened to the thing, and it is well now\n",
}

func BenchmarkSearch(b *testing.B) {
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(symptoms.File)))
	require.NoError(b, err)
	rows, err := symptoms.Parse(string(text))
	require.NoError(b, err)
	for name, line := range logs {
		b.Run("log="+name, func(b *testing.B) {
			log := bytes.Repeat([]byte(line), 16<<20/len(line))
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				if _, _, err := symptoms.Search(rows, bytes.NewReader(log)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
