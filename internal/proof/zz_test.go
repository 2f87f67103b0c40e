package proof
import ("testing";"context";"os";"path/filepath")
func TestZZ(t *testing.T){ root,_:=filepath.Abs("../.."); all,p:=Mechanisms(root,"0*"); t.Log(p); for _,b:=range all { r:=b.Prove(context.Background(),root); PrintRow(os.Stdout,r,true)}}
