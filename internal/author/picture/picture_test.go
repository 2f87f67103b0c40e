package picture

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDraw(t *testing.T) {
	const text = "── 2/7 Watch\n   > GET /x?a=1&b=2\n   < ADDED    \"black\" <x>\n   = It is still open. A client\n" +
		"     would have seen none.\n\nDone.\n"
	svg := Draw("$ go run .", text)
	require.Equal(t, svg, Draw("$ go run .", text), "the same text gives the same picture")
	decoder := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err, "well-formed")
	}
	require.Contains(t, string(svg), "&lt;x&gt;")
	conclusion := colour("   = x")
	require.Equal(t, 2, strings.Count(string(svg), conclusion), "a wrapped conclusion keeps its colour")
	require.NotEqual(t, colour("   < x"), colour("   > x"))
}
